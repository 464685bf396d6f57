import { describe, expect, test } from 'vitest';
import { createLogger } from './logger.ts';

function logOf(write: (logger: ReturnType<typeof createLogger>) => void): string {
  let text = '';
  const destination = {
    write(line: string) {
      text += line;
    },
  };
  write(createLogger({ level: 'info', destination }));
  return text;
}

describe('A-03 log', () => {
  test('is one JSON object per line, with an ISO time and a level by name', () => {
    const line = JSON.parse(logOf((logger) => logger.info({ slot: 7 }, 'slot done')));
    expect(line).toMatchObject({ level: 'info', slot: 7, msg: 'slot done' });
    expect(new Date(line.time).toISOString()).toBe(line.time);
  });

  test('drops lines below its level', () => {
    expect(logOf((logger) => logger.debug('detail'))).toBe('');
  });

  test.each([
    [{ 'x-api-key': 'tik_secret' }],
    [{ headers: { 'x-api-key': 'tik_secret' } }],
    [{ req: { headers: { 'x-api-key': 'tik_secret', authorization: 'tik_secret' } } }],
    [{ req: { headers: { authorization: 'Bearer tik_secret' } } }],
    [{ apiKey: 'tik_secret', query: { api_key: 'tik_secret' } }],
  ])('never contains a key: %j', (fields) => {
    const text = logOf((logger) => logger.info(fields, 'request'));
    expect(text).toContain('[redacted]');
    expect(text).not.toContain('tik_secret');
  });
});
