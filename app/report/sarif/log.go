package sarif

// The objects of a log that are written, with the names of the standard.

// schemaURI is where the standard's schema stands.
const schemaURI = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

type log struct {
	Schema  string `json:"$schema"`
	Version string `json:"version"`
	Runs    []run  `json:"runs"`
}

type run struct {
	Tool        tool                        `json:"tool"`
	Invocations []invocation                `json:"invocations"`
	Bases       map[string]artifactLocation `json:"originalUriBaseIds,omitempty"`
	ColumnKind  string                      `json:"columnKind"`
	Results     []result                    `json:"results"`
}

type tool struct {
	Driver driver `json:"driver"`
}

type driver struct {
	Name           string `json:"name"`
	Version        string `json:"version"`
	InformationURI string `json:"informationUri"`
	Rules          []rule `json:"rules"`
}

type rule struct {
	ID      string        `json:"id"`
	Name    string        `json:"name"`
	Short   message       `json:"shortDescription"`
	Full    message       `json:"fullDescription"`
	Help    message       `json:"help"`
	HelpURI string        `json:"helpUri"`
	Default configuration `json:"defaultConfiguration"`
}

type configuration struct {
	Level string `json:"level"`
}

type invocation struct {
	Successful    bool           `json:"executionSuccessful"`
	ExitCode      int            `json:"exitCode"`
	Notifications []notification `json:"toolExecutionNotifications,omitempty"`
}

type notification struct {
	Level     string     `json:"level"`
	Message   message    `json:"message"`
	Locations []location `json:"locations,omitempty"`
}

type result struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Kind         string            `json:"kind"`
	Level        string            `json:"level"`
	Message      message           `json:"message"`
	Locations    []location        `json:"locations"`
	Related      []location        `json:"relatedLocations,omitempty"`
	CodeFlows    []codeFlow        `json:"codeFlows,omitempty"`
	Fingerprints map[string]string `json:"partialFingerprints"`
	Baseline     string            `json:"baselineState,omitempty"`
	Suppressions []suppression     `json:"suppressions,omitempty"`
}

type suppression struct {
	Kind          string `json:"kind"`
	Justification string `json:"justification,omitempty"`
}

type message struct {
	Text string `json:"text"`
}

type codeFlow struct {
	Message     *message     `json:"message,omitempty"`
	ThreadFlows []threadFlow `json:"threadFlows"`
}

type threadFlow struct {
	ID        string               `json:"id"`
	Initial   map[string]message   `json:"initialState,omitempty"`
	Locations []threadFlowLocation `json:"locations"`
}

type threadFlowLocation struct {
	Location   location           `json:"location"`
	Kinds      []string           `json:"kinds,omitempty"`
	State      map[string]message `json:"state,omitempty"`
	Order      int                `json:"executionOrder"`
	Importance string             `json:"importance"`
}

type location struct {
	Physical *physicalLocation `json:"physicalLocation,omitempty"`
	Logical  []logicalLocation `json:"logicalLocations,omitempty"`
	Message  *message          `json:"message,omitempty"`
}

type physicalLocation struct {
	Artifact artifactLocation `json:"artifactLocation"`
	Region   *region          `json:"region,omitempty"`
	Context  *region          `json:"contextRegion,omitempty"`
}

type artifactLocation struct {
	URI         string   `json:"uri,omitempty"`
	BaseID      string   `json:"uriBaseId,omitempty"`
	Description *message `json:"description,omitempty"`
}

type region struct {
	StartLine   int      `json:"startLine"`
	StartColumn int      `json:"startColumn,omitempty"`
	EndLine     int      `json:"endLine,omitempty"`
	Snippet     *message `json:"snippet,omitempty"`
}

type logicalLocation struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
}
