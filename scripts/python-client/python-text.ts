const KEYWORDS = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally ' +
    'for from global if import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);

/** Whether Python takes a text as a name. */
export function isName(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(text) && !KEYWORDS.has(text);
}

/** The name of an argument: `from` is `from_`, `dex-name` is `dex_name`. */
export function argumentName(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_]/g, '_');
  return isName(plain) ? plain : `${plain}_`;
}

/** `getTokenHolders` as `get_token_holders`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/^_/, '');
}

/** A literal of Python: JSON has the same ones for text and numbers. */
export function literal(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}

const WIDTH = 96;

/** A docstring of sentences, with `indent` before each line. */
export function docstring(text: string, indent: string): string {
  const safe = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").replace(/"$/, '".');
  const lines: string[] = [];
  for (const paragraph of safe.split('\n'))
    lines.push(...wrapped(paragraph, WIDTH - indent.length));
  const [only = ''] = lines;
  if (lines.length === 1 && only.length + 6 + indent.length <= WIDTH)
    return `${indent}"""${only}"""`;
  const indented = lines.map((line) => (line === '' ? '' : `${indent}${line}`)).join('\n');
  return `${indent}"""${indented.slice(indent.length)}\n${indent}"""`;
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
