import tseslint from "typescript-eslint";

const inText = "Texts of documents are shown by textContent alone; nothing may turn a string into markup or code.";

export default tseslint.config(
  { ignores: ["dist", "node_modules"] },
  ...tseslint.configs.strict,
  {
    rules: {
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-new-func": "error",
      "no-restricted-properties": [
        "error",
        { property: "innerHTML", message: inText },
        { property: "outerHTML", message: inText },
        { property: "insertAdjacentHTML", message: inText },
        { property: "createContextualFragment", message: inText },
        { object: "document", property: "write", message: inText },
        { object: "document", property: "writeln", message: inText },
      ],
      "no-restricted-syntax": [
        "error",
        { selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']", message: inText },
        { selector: "JSXAttribute[name.name='style'] > Literal", message: "The page's policy refuses styles by string: give an object." },
      ],
      "max-lines": ["error", 400],
      "max-lines-per-function": ["error", { max: 90, skipBlankLines: true, skipComments: true }],
      complexity: ["error", 18],
    },
  },
  { files: ["tests/**"], rules: { "max-lines-per-function": "off" } },
);
