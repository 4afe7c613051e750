// The server does the work: this starts `magus lsp` for specifications and C.
const { workspace, window } = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

exports.activate = async () => {
  const command = workspace.getConfiguration("magus").get("path", "magus");
  client = new LanguageClient(
    "magus",
    "magus",
    { command, args: ["lsp"], transport: TransportKind.stdio },
    {
      documentSelector: [
        { scheme: "file", language: "magus-spec" },
        { scheme: "file", language: "c" },
      ],
      synchronize: { fileEvents: workspace.createFileSystemWatcher("**/*.{c,h,spec,aut,toml}") },
    },
  );
  try {
    await client.start();
  } catch (err) {
    window.showErrorMessage(`magus: ${command} lsp does not start (${err.message}). The setting magus.path says where the program is.`);
  }
};

exports.deactivate = () => client?.stop();
