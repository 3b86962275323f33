/**
 * What counts as a definition in each language, as patterns over the syntax tree. Every pattern
 * captures the whole definition under its kind and its name as `name`; `owner` names what a
 * definition belongs to where that does not enclose it, `container` what only lends its name.
 * `import` marks statements that bring in other files.
 */
import type { CodeLanguage } from '../../domain/code.ts'

export interface Grammar {
  /** Name of the grammar's file, as in `tree-sitter-<file>.wasm`. */
  readonly file: string
  readonly query: string
}

const ECMASCRIPT = `
(class_declaration name: (_) @name) @class
(function_declaration name: (_) @name) @function
(generator_function_declaration name: (_) @name) @function
(method_definition name: (_) @name) @method
(program (lexical_declaration (variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression)])) @function)
(program (export_statement (lexical_declaration (variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression)]))) @function)
(program (lexical_declaration (variable_declarator name: (identifier) @name) @variable))
(program (export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @variable)))
(import_statement) @import
(export_statement source: (string)) @import
(call_expression function: (import)) @import
((call_expression function: (identifier) @_require) @import (#eq? @_require "require"))
`

const JAVASCRIPT = `${ECMASCRIPT}
(field_definition property: (property_identifier) @name value: [(arrow_function) (function_expression)]) @method
`

const TYPESCRIPT = `${ECMASCRIPT}
(abstract_class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(type_alias_declaration name: (_) @name) @type
(enum_declaration name: (_) @name) @type
(internal_module name: (_) @name) @module
(function_signature name: (_) @name) @function
(method_signature name: (_) @name) @method
(abstract_method_signature name: (_) @name) @method
(public_field_definition name: (_) @name value: [(arrow_function) (function_expression)]) @method
`

export const GRAMMARS = {
  python: {
    file: 'python',
    query: `
(class_definition name: (identifier) @name) @class
(function_definition name: (identifier) @name) @function
(module (expression_statement (assignment left: (identifier) @name)) @variable)
(import_statement) @import
(import_from_statement) @import
`,
  },
  typescript: { file: 'typescript', query: TYPESCRIPT },
  tsx: { file: 'tsx', query: TYPESCRIPT },
  javascript: { file: 'javascript', query: JAVASCRIPT },
  go: {
    file: 'go',
    query: `
(function_declaration name: (identifier) @name) @function
(method_declaration receiver: (parameter_list) @owner name: (field_identifier) @name) @method
(type_spec name: (type_identifier) @name type: (interface_type)) @interface
(type_spec name: (type_identifier) @name) @type
(type_alias name: (type_identifier) @name) @type
(source_file (const_declaration (const_spec name: (identifier) @name) @variable))
(source_file (var_declaration (var_spec name: (identifier) @name) @variable))
(import_spec) @import
`,
  },
  rust: {
    file: 'rust',
    query: `
(struct_item name: (type_identifier) @name) @class
(enum_item name: (type_identifier) @name) @type
(union_item name: (type_identifier) @name) @type
(type_item name: (type_identifier) @name) @type
(trait_item name: (type_identifier) @name) @interface
(mod_item name: (identifier) @name) @module
(function_item name: (identifier) @name) @function
(function_signature_item name: (identifier) @name) @function
(macro_definition name: (identifier) @name) @function
(const_item name: (identifier) @name) @variable
(static_item name: (identifier) @name) @variable
(impl_item type: (_) @name) @container
(use_declaration) @import
(mod_item name: (identifier) !body) @import
`,
  },
  java: {
    file: 'java',
    query: `
(class_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(interface_declaration name: (identifier) @name) @interface
(annotation_type_declaration name: (identifier) @name) @interface
(enum_declaration name: (identifier) @name) @type
(method_declaration name: (identifier) @name) @method
(constructor_declaration name: (identifier) @name) @method
(import_declaration) @import
`,
  },
  csharp: {
    file: 'c-sharp',
    query: `
(class_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(struct_declaration name: (identifier) @name) @class
(interface_declaration name: (identifier) @name) @interface
(enum_declaration name: (identifier) @name) @type
(delegate_declaration name: (identifier) @name) @type
(namespace_declaration name: (_) @name) @container
(method_declaration name: (identifier) @name) @method
(constructor_declaration name: (identifier) @name) @method
(property_declaration name: (identifier) @name) @method
`,
  },
  cpp: {
    file: 'cpp',
    query: `
(class_specifier name: (_) @name body: (_)) @class
(struct_specifier name: (_) @name body: (_)) @class
(union_specifier name: (_) @name body: (_)) @type
(enum_specifier name: (_) @name body: (_)) @type
(alias_declaration name: (type_identifier) @name) @type
(type_definition declarator: (type_identifier) @name) @type
(namespace_definition name: (_) @name) @module
(function_definition declarator: (function_declarator declarator: (_) @name)) @function
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @name))) @function
(function_definition declarator: (reference_declarator (function_declarator declarator: (_) @name))) @function
(preproc_function_def name: (identifier) @name) @function
(preproc_include) @import
`,
  },
  ruby: {
    file: 'ruby',
    query: `
(class name: (_) @name) @class
(module name: (_) @name) @module
(method name: (_) @name) @function
(singleton_method name: (_) @name) @function
((call method: (identifier) @_require) @import (#match? @_require "^require(_relative)?$"))
`,
  },
  php: {
    file: 'php',
    query: `
(class_declaration name: (name) @name) @class
(interface_declaration name: (name) @name) @interface
(trait_declaration name: (name) @name) @interface
(enum_declaration name: (name) @name) @type
(function_definition name: (name) @name) @function
(method_declaration name: (name) @name) @method
(namespace_use_declaration) @import
(require_once_expression) @import
(require_expression) @import
(include_expression) @import
(include_once_expression) @import
`,
  },
  bash: {
    file: 'bash',
    query: `
(function_definition name: (word) @name) @function
((command name: (command_name) @_source) @import (#match? @_source "^(source|\\\\.)$"))
`,
  },
} as const satisfies Partial<Record<CodeLanguage, Grammar>>

export function grammarOf(language: CodeLanguage): Grammar | undefined {
  const grammars: Partial<Record<CodeLanguage, Grammar>> = GRAMMARS
  return grammars[language]
}
