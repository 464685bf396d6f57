import type { OffchainPosition } from '../../model/offchain-stream.ts';
import { RESTORE } from '../restore-advice.ts';
import type { StoredMessage } from '../step-message.ts';
import { decodeOffchain, type OffchainHead } from './offchain-message.ts';

type Transaction = Exclude<OffchainHead, { readonly kind: 'claim' }>;

/** What follows from a message, the same on every replica. */
export type Fenced =
  | { readonly kind: 'claim'; readonly logId: string; readonly id: string; readonly writer: string }
  /** The last part of a transaction: all of it. */
  | { readonly kind: Transaction['kind']; readonly changes: Uint8Array }
  /** A part that is not the last. */
  | { readonly kind: 'part' }
  /** Passed over, since it is of an earlier claim, or cannot be used. */
  | { readonly kind: 'passed-over'; readonly reason: 'fenced' | 'unusable'; readonly why: string }
  /** Nothing from here on may be stored by this replica. */
  | { readonly kind: 'stop'; readonly sentence: string };

export interface FenceOptions {
  readonly position: OffchainPosition;
  /** Number of the last migration of the store. */
  readonly schema: number;
  /** Name of the stream, for sentences. */
  readonly name: string;
}

/**
 * Decides what each message of the stream means, by the messages before it alone: so every replica
 * decides alike.
 */
export class OffchainFence {
  private readonly options: FenceOptions;
  private logIdNow: string | null;
  private claimNow: number | null;
  private open: { readonly id: string; readonly bodies: Uint8Array[] } | null = null;

  constructor(options: FenceOptions) {
    this.options = options;
    this.logIdNow = options.position.logId;
    this.claimNow = options.position.claim;
  }

  /** Null before the first message. */
  get logId(): string | null {
    return this.logIdNow;
  }

  /** Sequence of the last claim; null before the first. */
  get claim(): number | null {
    return this.claimNow;
  }

  /** Takes the message that is next. */
  take(message: StoredMessage): Fenced {
    const { name, schema } = this.options;
    const open = this.open;
    this.open = null;
    const decoded = decodeOffchain(message);
    if ('reason' in decoded) {
      const why = `Message ${message.seq} of ${name} cannot be used: ${decoded.reason}.`;
      if (decoded.isNewer) return { kind: 'stop', sentence: `${why} ${UPDATE}` };
      return { kind: 'passed-over', reason: 'unusable', why };
    }
    const { head, body } = decoded;
    if (this.logIdNow !== null && head.logId !== this.logIdNow) {
      const sentence = `${name} is not the stream that filled the off-chain data of this folder. ${RESTORE}`;
      return { kind: 'stop', sentence };
    }
    if (head.schema > schema) {
      const sentence = `Message ${message.seq} of ${name} is of a newer version of the off-chain data (${head.schema}; this replica has ${schema}). ${UPDATE}`;
      return { kind: 'stop', sentence };
    }
    return head.kind === 'claim'
      ? this.takeClaim(message.seq, head)
      : this.takePart(message.seq, head, body, open);
  }

  private takeClaim(seq: number, head: Extract<OffchainHead, { readonly kind: 'claim' }>): Fenced {
    const { position, name } = this.options;
    const { logId, id, writer, base } = head;
    if (this.logIdNow === null && base !== position.base) {
      return { kind: 'stop', sentence: otherBase(name, base, position.base) };
    }
    this.logIdNow = logId;
    this.claimNow = seq;
    return { kind: 'claim', logId, id, writer };
  }

  private takePart(
    seq: number,
    head: Transaction,
    body: Uint8Array,
    open: OffchainFence['open'],
  ): Fenced {
    const { name } = this.options;
    if (this.claimNow === null) return passedOver(`Message ${seq} of ${name} precedes any claim.`);
    if (head.kind === 'changes' && head.claim !== this.claimNow) {
      const why = `Message ${seq} of ${name} is of claim ${head.claim}, and ${this.claimNow} counts.`;
      return { kind: 'passed-over', reason: 'fenced', why };
    }
    const bodies = head.part === 0 ? [] : open?.id === head.id ? open.bodies : null;
    if (bodies?.length !== head.part) {
      return passedOver(`Message ${seq} of ${name} is a part without those before it.`);
    }
    bodies.push(body);
    if (head.part < head.parts - 1) {
      this.open = { id: head.id, bodies };
      return { kind: 'part' };
    }
    return { kind: head.kind, changes: bodies.length === 1 ? body : Buffer.concat(bodies) };
  }
}

const UPDATE = 'Update this replica; until then it stores no more off-chain data.';

function passedOver(why: string): Fenced {
  return { kind: 'passed-over', reason: 'unusable', why };
}

function otherBase(name: string, base: string, own: string): string {
  if (base === '') {
    return `This data folder has off-chain data of its own, and ${name} began without any. Move offchain.sqlite away while the service is stopped, or begin with a backup of another replica.`;
  }
  const has = own === '' ? 'has none' : 'has others';
  return `${name} began with the off-chain data of one replica, and this data folder ${has}. ${RESTORE}`;
}
