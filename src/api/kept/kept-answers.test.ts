import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { KeptAnswers } from './kept-answers.ts';

const MEBIBYTE = 1_048_576;

function keepIn(kept: KeptAnswers, url: string, body: string): void {
  const raw = { url, rawHeaders: ['Host', 'a', 'X-API-Key', 'k'] };
  const request = { method: 'GET', raw, routeOptions: { url: '/v1/x' } };
  const reply = { getHeaders: () => ({ 'x-slot': '1', 'x-data-age-ms': '5' }) };
  kept.keep(request as unknown as FastifyRequest, reply as unknown as FastifyReply, body, null);
}

test('answers are kept up to 16 MiB, and there is room again at the next publication', () => {
  let publications = 1;
  const kept = new KeptAnswers({ publications: () => publications, steadyNowMs: () => 0 });
  const body = 'x'.repeat(MEBIBYTE);
  for (let at = 0; at < 17; at++) keepIn(kept, `/${at}`, body);
  expect(kept.find('/15')?.body).toBe(body);
  expect(kept.find('/16')).toBeNull();
  // An answer takes the place of an earlier one to the same URL.
  keepIn(kept, '/3', `y${body.slice(1)}`);
  expect(kept.find('/3')?.body.startsWith('y')).toBe(true);
  publications++;
  expect(kept.find('/3')).toBeNull();
  keepIn(kept, '/16', body);
  expect(kept.find('/16')?.body).toBe(body);
  expect(kept.find('/15')).toBeNull();
});

test('the length of a body with other than ASCII characters is in bytes', () => {
  const kept = new KeptAnswers({ publications: () => 1, steadyNowMs: () => 0 });
  keepIn(kept, '/plain', '{"name":"cat"}');
  keepIn(kept, '/cat', '{"name":"貓"}');
  expect(kept.find('/plain')).toMatchObject({ isAscii: true });
  const cat = kept.find('/cat');
  expect(cat?.isAscii).toBe(false);
  const head = cat?.head ?? [];
  expect(head.slice(head.indexOf('content-length'))).toEqual(['content-length', '14']);
  // Without a block time there is no age.
  expect(head).not.toContain('x-data-age-ms');
});
