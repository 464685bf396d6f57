import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';

const natsOf = (natsUrl: string) => readConfig({}, { natsUrl }).natsUrl;

describe('settings of several machines', () => {
  it('name servers with one set of credentials and the usual port', () => {
    expect(natsOf('nats://mint:p%40ss@a:4222, nats://mint:p%40ss@b')).toEqual({
      addresses: ['a:4222', 'b:4222'],
      user: 'mint',
      password: 'p@ss',
      token: null,
      isEncrypted: false,
    });
    expect(natsOf('tls://token@a:1')).toMatchObject({
      token: 'token',
      user: null,
      isEncrypted: true,
    });
  });

  it('refuse other addresses without repeating them', () => {
    for (const url of [
      'http://a',
      'nats://s3cret@a/path',
      'nats://a,tls://a',
      'nats://s3cret:x@a,nats://b',
      '',
    ]) {
      expect(() => natsOf(url)).toThrow(/^--nats-url must/);
      expect(() => natsOf(url)).not.toThrow(/s3cret/);
    }
  });

  it('need no server for one process', () => {
    expect(readConfig({}, {})).toMatchObject({ role: 'all', natsUrl: null });
  });
});
