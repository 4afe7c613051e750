// What eslint finds in the scripts of the pages: mistakes, not taste. They are plain scripts of a browser.
const names = `Blob CSS CustomEvent DOMParser Element Event EventSource KeyboardEvent Node URL URLSearchParams XMLSerializer
	addEventListener clearInterval clearTimeout console document fetch getComputedStyle history localStorage location
	matchMedia navigator performance requestAnimationFrame sessionStorage setInterval setTimeout structuredClone window`;

export default [
	{
		languageOptions: {
			ecmaVersion: 2022,
			globals: Object.fromEntries(names.split(/\s+/).map((name) => [name, "readonly"])),
		},
		linterOptions: { reportUnusedDisableDirectives: "error" },
		rules: {
			eqeqeq: "error",
			"no-dupe-else-if": "error",
			"no-dupe-keys": "error",
			"no-fallthrough": "error",
			"no-redeclare": "error",
			"no-self-assign": "error",
			"no-undef": "error",
			"no-unreachable": "error",
			"no-unused-vars": "error",
			"no-var": "error",
			"prefer-const": "error",
			"use-isnan": "error",
			"valid-typeof": "error",
		},
	},
];
