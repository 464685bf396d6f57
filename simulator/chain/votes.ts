import { SYSTEM_PROGRAM, VOTE_PROGRAM } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import type { Random } from '../random/random.ts';
import { paying, writable } from './account-use.ts';
import type { Chain } from './chain.ts';
import { InstructionBytes } from './instruction-bytes.ts';
import type { TransactionRequest } from './run-transaction.ts';
import type { ScheduledSlot } from './slot-schedule.ts';

/** Index of `TowerSync` among the vote program's instructions. */
const TOWER_SYNC = 14;
/** Votes in a tower; the newest has one confirmation, the oldest as many as the tower is high. */
const TOWER_HEIGHT = 31;

/** Initial balance for votes: 5,000 lamports a slot for half a year. */
const IDENTITY_LAMPORTS = 200_000_000_000n;
/** Rent of a vote account of 3,762 bytes. */
const VOTE_ACCOUNT_LAMPORTS = 27_074_400n;

interface Validator {
  readonly identity: Address;
  readonly voteAccount: Address;
}

/**
 * The validators, which produce blocks and vote on them: most transactions of a real block are
 * votes.
 */
export class Validators {
  private readonly chain: Chain;
  private readonly random: Random;
  private readonly validators: readonly Validator[];

  /** Adds `count` funded validators to the chain's ledger. */
  constructor(chain: Chain, random: Random, count: number) {
    this.chain = chain;
    this.random = random;
    this.validators = Array.from({ length: count }, () => ({
      identity: chain.keyring.wallet(),
      voteAccount: chain.keyring.account(),
    }));
    for (const { identity, voteAccount } of this.validators) {
      this.fund(identity, SYSTEM_PROGRAM, IDENTITY_LAMPORTS);
      this.fund(voteAccount, VOTE_PROGRAM, VOTE_ACCOUNT_LAMPORTS);
    }
  }

  /** Possible leaders. */
  get identities(): readonly Address[] {
    return this.validators.map(({ identity }) => identity);
  }

  /** One vote of each validator on the blocks before this one, each in a group of its own. */
  votes({ slot, unixTime }: Pick<ScheduledSlot, 'slot' | 'unixTime'>): TransactionRequest[][] {
    const hash = this.random.bytes(32);
    const blockId = this.random.bytes(32);
    const data = towerSync(slot, unixTime, hash, blockId);
    return this.validators.map((validator) => [this.vote(validator, data)]);
  }

  private vote({ identity, voteAccount }: Validator, data: Uint8Array): TransactionRequest {
    return {
      signatures: [this.chain.keyring.signature()],
      feePayer: identity,
      recentBlockhash: this.chain.blockhash,
      computeBudget: null,
      tables: null,
      isVote: true,
      build: (execution) =>
        execution.invoke(VOTE_PROGRAM, [writable(voteAccount), paying(identity)], data),
    };
  }

  private fund(address: Address, program: Address, lamports: bigint): void {
    this.chain.ledger.set(address, { lamports, program, mint: null, token: null, state: null });
  }
}

/**
 * The data of TowerSync (agave's vote interface, the compact form): the root, each lockout as an
 * offset from the previous slot and a count, the bank's hash, the time, the block's id.
 */
function towerSync(
  slot: number,
  unixTime: number,
  hash: Uint8Array,
  blockId: Uint8Array,
): Uint8Array {
  const height = Math.min(TOWER_HEIGHT, slot - 1);
  const bytes = new InstructionBytes()
    .u32(TOWER_SYNC)
    .u64(BigInt(slot - 1 - height))
    .u8(height);
  for (let confirmations = height; confirmations > 0; confirmations--)
    bytes.u8(1).u8(confirmations);
  return bytes.raw(hash).bool(true).i64(BigInt(unixTime)).raw(blockId).done();
}
