import { describe, expect, it } from 'vitest';
import { COLLECTOR_DEFAULTS, createCollectors } from './registry.ts';

const ALL = {
  ...COLLECTOR_DEFAULTS,
  blueskyJetstreamUrls: ['wss://jetstream2.us-east.bsky.network/subscribe'],
  xBearerToken: 'x',
  telegramBotToken: 't',
  farcasterApiKey: 'f',
  redditClientId: 'r',
  redditClientSecret: 's',
};

describe('the registry of collectors', () => {
  it('runs nothing by default', () => {
    expect(createCollectors(COLLECTOR_DEFAULTS)).toEqual([]);
    expect(createCollectors({ ...COLLECTOR_DEFAULTS, redditClientId: 'r' })).toEqual([]);
    expect(createCollectors({ ...COLLECTOR_DEFAULTS, blueskyJetstreamUrls: [] })).toEqual([]);
  });

  it('has one collector per configured platform, each with a unique name', () => {
    const names = createCollectors(ALL).map(({ name }) => name);
    expect(names).toEqual(['bluesky', 'x-search', 'telegram', 'farcaster', 'reddit']);
    const [x] = createCollectors({ ...COLLECTOR_DEFAULTS, xBearerToken: 'x', xMode: 'stream' });
    expect(x).toMatchObject({ name: 'x-stream', platform: 'x' });
  });

  it('refuses an invalid URL before anything runs', () => {
    expect(() => createCollectors({ ...ALL, blueskyJetstreamUrls: ['nowhere'] })).toThrow(
      TypeError,
    );
  });
});
