import { describe, expect, test } from 'vitest';
import { displayWidth } from '../../lib/terminal/display-width.ts';
import { startBox } from './start-box.ts';

const URL = 'http://127.0.0.1:8080';
/** As long as the keys that the service creates. */
const KEY = `tik_live_${'k'.repeat(62)}`;
const CREATED = { kind: 'created', text: KEY } as const;

function box(columns: number, key: Parameters<typeof startBox>[0]['key'] = CREATED) {
  return startBox({ url: URL, key, dataDir: '/var/lib/mintscope', columns });
}

describe.each([80, 120])('the start box at %i columns', (columns) => {
  test('no line is wider than the window', () => {
    for (const key of [
      CREATED,
      { kind: 'bootstrap' },
      { kind: 'revoked' },
      { kind: 'existing' },
    ] as const) {
      expect(box(columns, key).filter((line) => displayWidth(line) > columns)).toEqual([]);
    }
  });

  test('has a frame with link, folder and key', () => {
    const lines = box(columns);
    const framed = lines.filter((line) => line.startsWith('│'));
    expect(framed.map((line) => line.slice(2, -2).trimEnd())).toEqual([
      `Dashboard  ${URL}/`,
      `Reference  ${URL}/docs`,
      'Data       /var/lib/mintscope',
      'API key, shown this once:',
      KEY,
    ]);
    expect(new Set([...framed, lines[1] ?? ''].map(displayWidth)).size).toBe(1);
  });

  test('its commands can be copied: joined as a shell does, they set the key and use it', () => {
    const commands = box(columns).slice(-6, -1).join('\n');
    expect(commands.replaceAll('\\\n', '')).toBe(
      [
        'Try it in another terminal:',
        `export MINTSCOPE_API_KEY=${KEY}`,
        `curl -H "X-API-Key: $MINTSCOPE_API_KEY" ${URL}/readyz`,
        `mintscope watch chain --url ${URL}`,
      ].join('\n'),
    );
  });
});

test('a key that exists is not printed, and the box says where to find one', () => {
  const text = box(80, { kind: 'existing' }).join('\n');
  expect(text).not.toContain('tik_');
  expect(text).toContain('"mintscope keys create --data-dir /var/lib/mintscope"');
});

test('the folder cannot send control sequences to the terminal', () => {
  const lines = startBox({ url: URL, key: CREATED, dataDir: '/tmp/\u001b[2J', columns: 80 });
  expect(lines.join('')).not.toContain('\u001b');
});

test('in a window that is narrower than the key, the frame is left out and the key stays whole', () => {
  const lines = box(60);
  expect(lines.join('')).not.toContain('│');
  expect(lines).toContain(KEY);
});
