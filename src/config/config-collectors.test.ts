import { describe, expect, it } from 'vitest';
import { COLLECTOR_DEFAULTS, createCollectors } from '../social/collectors/registry.ts';
import { readConfig } from './config.ts';
import { COLLECTOR_SETTINGS, collectorSettingsOf } from './config-collectors.ts';
import { SETTINGS } from './config-settings.ts';

describe('settings of collectors', () => {
  it('collect nothing by default', () => {
    const settings = collectorSettingsOf(readConfig({}, {}));
    expect(settings).toEqual(COLLECTOR_DEFAULTS);
    expect(createCollectors(settings)).toEqual([]);
  });

  it('enable a platform by its required settings', () => {
    const environment = {
      MINTSCOPE_BLUESKY_JETSTREAM_URLS: 'wss://one.example, wss://two.example',
      MINTSCOPE_X_BEARER_TOKEN: 'AAAA%3D',
      MINTSCOPE_REDDIT_COMMUNITIES: 'r/solana,CryptoMoonShots',
      MINTSCOPE_SOCIAL_POLL_SECONDS: '30',
    };
    const settings = collectorSettingsOf(readConfig(environment, {}));
    expect(settings).toMatchObject({
      blueskyJetstreamUrls: ['wss://one.example', 'wss://two.example'],
      redditCommunities: ['solana', 'CryptoMoonShots'],
      pollSeconds: 30,
    });
    expect(createCollectors(settings).map(({ platform }) => platform)).toEqual(['bluesky', 'x']);
  });

  it('accept no credentials on the command line, which others can read', () => {
    const secrets = Object.entries(COLLECTOR_SETTINGS)
      .filter(([, { hasNoFlag }]) => hasNoFlag === true)
      .map(([name]) => name);
    expect(secrets).toEqual([
      'xBearerToken',
      'telegramBotToken',
      'farcasterApiKey',
      'redditClientSecret',
    ]);
    const given = collectorSettingsOf(readConfig({}, { xBearerToken: 'AAAA' }));
    expect(given.xBearerToken).toBeNull();
  });

  it.each([
    ['blueskyJetstreamUrls', 'https://one.example'],
    ['blueskyAppviewUrl', 'ftp://one.example'],
    ['xMode', 'everything'],
    ['xPostsPerMonth', '0'],
    ['xBearerToken', 'two words'],
    ['redditCommunities', 'r/so lana'],
    ['redditUserAgent', 'caf\u00e9'],
    ['socialPollSeconds', '1'],
  ] as const)('refuse %s of "%s"', (name, text) => {
    expect(SETTINGS[name].parse(text)).toMatch(/^must /);
  });
});
