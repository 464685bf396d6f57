import { displayText } from './display-text.ts';
import { displayWidth } from './display-width.ts';
import { NO_STYLE, type Style } from './terminal.ts';
import { wrapHanging } from './wrap-text.ts';

export interface HumanLogOptions {
  readonly columns: number;
  readonly style?: Style;
}

const LEVEL_WIDTH = 5;
const LEVEL_STYLES = {
  trace: 'dim',
  debug: 'dim',
  info: 'cyan',
  warn: 'yellow',
  error: 'red',
  fatal: 'red',
} as const;

type Level = keyof typeof LEVEL_STYLES;
type Fields = Readonly<Record<string, unknown>>;

/**
 * A line of the log for people: local time, level, message and fields, in lines of at most `columns`
 * with line breaks. `json` is a line as programs get it; any other text is shown as it is.
 */
export function humanLog(json: string, { columns, style = NO_STYLE }: HumanLogOptions): string {
  const line = parse(json);
  if (line === null) return joined(wrapHanging(displayText(json.trimEnd()), columns, 0));
  const { time, level, msg, err, ...fields } = line;
  const name = String(level);
  const prefix = `${timeOf(time)} ${name.padEnd(LEVEL_WIDTH)} `;
  const indent = displayWidth(prefix);
  const text = [displayText(String(msg ?? '')), ...fieldTexts(fields), ...errorTexts(err)];
  const [first = '', ...more] = wrapHanging(text.join('  '), columns, indent);
  const stack = name === 'error' || name === 'fatal' ? stackOf(err, columns, indent) : [];
  const shownLevel = isLevel(name) ? style(LEVEL_STYLES[name], name.padEnd(LEVEL_WIDTH)) : name;
  return joined([
    `${style('dim', timeOf(time))} ${shownLevel} ${first}`,
    ...more,
    ...stack.map((each) => style('dim', each)),
  ]);
}

function joined(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}

function parse(json: string): Fields | null {
  try {
    const value: unknown = JSON.parse(json);
    return isFields(value) && 'level' in value ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function isLevel(name: string): name is Level {
  return name in LEVEL_STYLES;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function timeOf(time: unknown): string {
  const date = new Date(String(time));
  return Number.isNaN(date.getTime()) ? '--:--:--' : date.toTimeString().slice(0, 8);
}

/** `name=value`; the fields of an object as `name.field=value`. Unknown values are left out. */
function fieldTexts(fields: Fields, prefix = ''): string[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    if (value === null || value === undefined) return [];
    if (isFields(value) && prefix === '') return fieldTexts(value, `${name}.`);
    return [`${displayText(`${prefix}${name}`)}=${valueText(value)}`];
  });
}

function valueText(value: unknown): string {
  if (typeof value !== 'string') return displayText(JSON.stringify(value));
  const shown = displayText(value);
  return /^[^\s"=]+$/.test(shown) ? shown : `"${shown}"`;
}

function errorTexts(error: unknown): string[] {
  if (!isFields(error)) return error === undefined ? [] : [valueText(error)];
  const { type = 'Error', message = '' } = error;
  return [displayText(`${String(type)}: ${String(message)}`)];
}

/** Where an error was thrown; its first line repeats the message. */
function stackOf(error: unknown, columns: number, indent: number): string[] {
  if (!isFields(error) || typeof error.stack !== 'string') return [];
  const lines = error.stack.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line.startsWith('at '))
    .flatMap((line) => {
      const space = ' '.repeat(indent);
      return wrapHanging(displayText(line), columns - indent, 2).map((each) => space + each);
    });
}
