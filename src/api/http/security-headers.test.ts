import helmet from '@fastify/helmet';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { SECURITY_HEADERS } from './security-headers.ts';

test('the security headers are what helmet sends for an interface without pages', async () => {
  const app = fastify();
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    frameguard: { action: 'deny' },
  });
  app.get('/', async () => ({}));
  const { headers } = await app.inject('/');
  const { 'cache-control': _ours, ...helmets } = SECURITY_HEADERS;
  expect(headers).toMatchObject(helmets);
});
