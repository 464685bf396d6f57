import { createHash } from 'node:crypto';

/**
 * The discriminator that Anchor derives for an instruction (`global`, name in snake case) or an
 * event (`event`, name unchanged): the first eight bytes of sha256 of `<namespace>:<name>`, in hex.
 */
export function anchorDiscriminator(namespace: 'global' | 'event', name: string): string {
  return createHash('sha256').update(`${namespace}:${name}`).digest('hex').slice(0, 16);
}
