import { expect, test } from 'vitest';
import { displayWidth } from './display-width.ts';
import { humanLog } from './human-log.ts';

const TIME = '2026-11-27T02:35:27.123Z';
/** The hour depends on the time zone of the machine. */
const CLOCK = new Date(TIME).toTimeString().slice(0, 8);

function shown(fields: object, columns = 80): string {
  return humanLog(JSON.stringify({ level: 'info', time: TIME, ...fields }), { columns });
}

test('a line has local time, level, message and fields', () => {
  expect(shown({ host: '127.0.0.1', port: 8080, grpcPort: null, msg: 'listening' })).toBe(
    `${CLOCK} info  listening  host=127.0.0.1  port=8080\n`,
  );
});

test('a reason is wrapped at words and not cut', () => {
  const reason =
    'the store refuses writes: no space is left on the device, and ingestion waits until there is';
  const text = shown({ level: 'warn', reason, msg: 'writes to the store fail' });
  const lines = text.trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.every((line) => displayWidth(line) <= 80)).toBe(true);
  const indent = ' '.repeat(`${CLOCK} info  `.length);
  expect(lines.slice(1).every((line) => line.startsWith(indent))).toBe(true);
  expect(lines.map((line) => line.trim()).join(' ')).toContain(`reason="${reason}"`);
});

test('fields of an object are shown one by one, lists as JSON', () => {
  const problem = { code: 'not-json', origin: 'a b.json', position: null };
  expect(shown({ problem, slots: [1, 2], msg: 'unusable' })).toBe(
    `${CLOCK} info  unusable  problem.code=not-json  problem.origin="a b.json"\n` +
      '               slots=[1,2]\n',
  );
});

test('text of third parties cannot move the cursor or begin a line', () => {
  const text = shown({ name: '\u001b[2J\nmintscope: all is well', '\u001b[1m': 1, msg: 'a\rb' });
  expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  expect(text.split('\n').filter((line) => line.startsWith('mintscope'))).toEqual([]);
});

test('an error shows its type and message, and where it was thrown if it is one', () => {
  const err = {
    type: 'TypeError',
    message: 'x is null',
    stack: 'TypeError: x is null\n    at f (a.ts:1:2)',
  };
  expect(shown({ level: 'error', err, msg: 'failed' })).toBe(
    `${CLOCK} error failed  TypeError: x is null\n               at f (a.ts:1:2)\n`,
  );
  expect(shown({ level: 'warn', err, msg: 'failed' })).toBe(
    `${CLOCK} warn  failed  TypeError: x is null\n`,
  );
});

test('colours mark time and level', () => {
  const style = (format: unknown, text: string) => `<${String(format)}>${text}</>`;
  const json = JSON.stringify({ level: 'error', time: TIME, msg: 'failed' });
  expect(humanLog(json, { columns: 80, style })).toBe(`<dim>${CLOCK}</> <red>error</> failed\n`);
});

test('what is no line of the log is shown as it is', () => {
  expect(humanLog('not JSON \u001b\n', { columns: 80 })).toBe('not JSON \\u001b\n');
});
