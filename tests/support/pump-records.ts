import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { testData } from './test-data.ts';

/** Bytes of every distinct event that a program wrote to the logs of recorded transactions. */
export function loggedEventsOf(program: string, discriminator: string): Buffer[] {
  const found = new Map<string, Buffer>();
  const folder = join(testData, 'chain');
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.json')) continue;
    for (const logs of logsIn(JSON.parse(readFileSync(join(folder, name), 'utf8')))) {
      for (const text of dataLines(logs, program)) {
        const bytes = Buffer.from(text, 'base64');
        if (bytes.toString('hex', 0, 8) === discriminator) found.set(text, bytes);
      }
    }
  }
  return [...found.values()];
}

/** Lists of log lines anywhere in a record, whatever its encoding. */
function* logsIn(value: unknown): Generator<readonly string[]> {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value) && value.some(isLogLine)) yield value.filter(isText);
  else for (const part of Object.values(value)) yield* logsIn(part);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isLogLine(value: unknown): boolean {
  return isText(value) && value.startsWith('Program ') && value.includes(' invoke [');
}

function* dataLines(logs: readonly string[], program: string): Generator<string> {
  const stack: string[] = [];
  for (const line of logs) {
    const [, name = '', word = ''] = line.split(' ');
    if (word === 'invoke') stack.push(name);
    else if (word === 'success' || word === 'failed:') stack.pop();
    else if (line.startsWith('Program data: ') && stack.at(-1) === program) yield line.slice(14);
  }
}
