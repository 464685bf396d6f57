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

  it('name replicas by their origins, each once', () => {
    const replicasOf = (replicas: string) => readConfig({}, { replicas }).replicas;
    expect(replicasOf('http://fold-1:8080, https://fold-2')).toEqual([
      'http://fold-1:8080',
      'https://fold-2',
    ]);
    const many = Array.from({ length: 17 }, (_, index) => `http://fold-${index}`).join(',');
    for (const text of ['', 'fold-1:8080', 'http://a/path', 'http://u:p@a', 'nats://a', many]) {
      expect(() => replicasOf(text)).toThrow(/^--replicas must be http or https addresses/);
    }
    expect(() => replicasOf('http://a,http://a:80')).toThrow('--replicas must not name one twice');
    expect(readConfig({}, {}).replicas).toEqual([]);
  });

  it('need no server for one process', () => {
    expect(readConfig({}, {})).toMatchObject({ role: 'all', natsUrl: null });
  });
});
