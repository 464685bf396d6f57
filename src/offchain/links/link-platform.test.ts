import { describe, expect, it } from 'vitest';
import { linkPlatform } from './link-platform.ts';

describe('linkPlatform', () => {
  it.each([
    ['https://x.com/cat', 'twitter'],
    ['https://mobile.twitter.com/cat', 'twitter'],
    ['https://t.me/cat', 'telegram'],
    ['https://discord.gg/cat', 'discord'],
    ['https://www.instagram.com/cat', 'instagram'],
    ['https://vm.tiktok.com/abc', 'tiktok'],
    ['https://youtu.be/abc', 'youtube'],
    ['https://github.com/cat/cat', 'github'],
    ['https://cat.medium.com/x', 'medium'],
    ['https://old.reddit.com/r/cat', 'reddit'],
    ['https://warpcast.com/cat', 'farcaster'],
    ['https://X.COM./cat', 'twitter'],
  ])('of %s is %s', (url, platform) => {
    expect(linkPlatform(url)).toBe(platform);
  });

  it.each([
    ['a name that ends in a platform’s', 'https://netflix.com/cat'],
    ['a platform as the name below another', 'https://x.com.evil.example/cat'],
    ['a platform in the path', 'https://cat.example/x.com'],
    ['a user page on a shared host', 'https://cat.github.io/'],
    ['an address', 'https://93.184.216.34/'],
    ['no URL', 'x.com'],
  ])('of %s is a website', (_, url) => {
    expect(linkPlatform(url)).toBe('website');
  });
});
