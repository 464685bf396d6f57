import { createHash } from 'node:crypto';

/**
 * The first eight bytes of sha256 of `<namespace>:<name>` in hex, as Anchor derives the
 * discriminators of instructions (`global`, name in snake case) and events (`event`, name as it is).
 */
export function anchorDiscriminator(namespace: 'global' | 'event', name: string): string {
  return createHash('sha256').update(`${namespace}:${name}`).digest('hex').slice(0, 16);
}
