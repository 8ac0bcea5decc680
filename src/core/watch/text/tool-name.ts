const PARTS = /[_.\-/]+|(?<=[a-z\d])(?=[A-Z])/g

/** The words of a tool's name: `rejectComment` and `reject_comment` are "reject comment". */
export const spacedName = (tool: string): string => tool.replace(PARTS, ' ')
