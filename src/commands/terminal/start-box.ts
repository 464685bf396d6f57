import { VERSION } from '../../config/version.ts';
import { displayText } from '../../lib/terminal/display-text.ts';
import { NO_STYLE, type Style } from '../../lib/terminal/terminal.ts';
import { textBox } from '../../lib/terminal/text-box.ts';
import { wrapCommand, wrapText } from '../../lib/terminal/wrap-text.ts';
import { keysExist, REVOKED, type StartKey } from '../start-key.ts';

export interface StartBoxParts {
  readonly url: string;
  readonly key: StartKey;
  readonly dataDir: string;
  readonly columns: number;
  readonly style?: Style;
}

const NAME_WIDTH = 11;
const KEY_SHOWN = 'API key, shown this once:';

/** How to use a listening service, for people: what it is in a box, then commands to copy. */
export function startBox(parts: StartBoxParts): string[] {
  const { url, key, dataDir, columns, style = NO_STYLE } = parts;
  const row = (name: string, value: string) => style('dim', name.padEnd(NAME_WIDTH)) + value;
  const lines = [
    row('Dashboard', style('bold', `${url}/`)),
    row('Reference', `${url}/docs`),
    row('Data', displayText(dataDir)),
    ...(key.kind === 'created' ? [KEY_SHOWN, style('bold', key.text)] : []),
  ];
  const box = textBox({ title: `Mintscope ${VERSION}`, lines, columns, style });
  const commands = commandsOf(url, key).flatMap((command) => wrapCommand(command, columns));
  return [
    '',
    ...box,
    ...keySentences(key, dataDir).flatMap((sentence) => wrapText(sentence, columns)),
    'Try it in another terminal:',
    ...commands.map((line) => style('cyan', line)),
    '',
  ];
}

function keySentences({ kind }: StartKey, dataDir: string): readonly string[] {
  if (kind === 'created') return [];
  if (kind === 'bootstrap') return ['The bootstrap key is installed.'];
  return [...(kind === 'revoked' ? [REVOKED] : []), keysExist(dataDir)];
}

/** Each as words that stay whole. */
function commandsOf(url: string, key: StartKey): readonly (readonly string[])[] {
  return [
    ...exportsOf(key).map((line) => [line]),
    ['curl', '-H "X-API-Key: $MINTSCOPE_API_KEY"', `${url}/readyz`],
    ['mintscope watch chain', `--url ${url}`],
  ];
}

/** The key is on a line of its own, since it is nearly as long as a line. */
function exportsOf(key: StartKey): readonly string[] {
  if (key.kind === 'created') return ['export MINTSCOPE_API_KEY=\\', key.text];
  if (key.kind === 'bootstrap') {
    return ['export MINTSCOPE_API_KEY="$MINTSCOPE_BOOTSTRAP_KEY"'];
  }
  return ['export MINTSCOPE_API_KEY=your-key'];
}
