import type { LinkPlatform } from '../../model/off-chain.ts';

/** Hosts of platforms; their subdomains belong to the same platform. */
const HOSTS: Readonly<Record<string, LinkPlatform>> = {
  'x.com': 'twitter',
  'twitter.com': 'twitter',
  't.co': 'twitter',
  't.me': 'telegram',
  'telegram.me': 'telegram',
  'telegram.org': 'telegram',
  'telegram.dog': 'telegram',
  'discord.gg': 'discord',
  'discord.com': 'discord',
  'discordapp.com': 'discord',
  'instagram.com': 'instagram',
  'tiktok.com': 'tiktok',
  'youtube.com': 'youtube',
  'youtu.be': 'youtube',
  'github.com': 'github',
  'github.io': 'website',
  'medium.com': 'medium',
  'reddit.com': 'reddit',
  'redd.it': 'reddit',
  'farcaster.xyz': 'farcaster',
  'warpcast.com': 'farcaster',
  'bsky.app': 'bluesky',
  'facebook.com': 'facebook',
  'fb.com': 'facebook',
  'twitch.tv': 'twitch',
  'linktr.ee': 'linktree',
};

/** The platform of a URL, determined by its host and never by the name of its field. */
export function linkPlatform(url: string): LinkPlatform {
  const labels = (URL.parse(url)?.hostname ?? '').replace(/\.$/, '').split('.');
  for (let at = 0; at < labels.length - 1; at++) {
    const platform = HOSTS[labels.slice(at).join('.')];
    if (platform !== undefined) return platform;
  }
  return 'website';
}
