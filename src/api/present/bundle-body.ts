import { Type } from 'typebox';
import type { BundledTransaction, BundleGroup, BundleLevel } from '../../model/derived.ts';
import type { BundleItem } from '../deps.ts';
import { ExplainedWord } from '../schemas/wire.ts';
import {
  address,
  described,
  integer,
  list,
  maybeInstant,
  plain,
  sol,
  text,
  word,
} from './wire-kinds.ts';
import { wireRecord } from './wire-record.ts';

const amount = described(sol, 'SOL the signer moved in the swap, excluding tips, fees and rent.');

/** A member of a bundle, as listed by itself. */
export const BundleItemBody = wireRecord<BundleItem>()({
  transaction_id: [text, 'signature', 'Transaction signature.'],
  signing_address: [address, 'owner'],
  solana_amount: [amount, 'lamports'],
});

const Member = wireRecord<BundledTransaction>()({
  transaction_id: [text, 'signature', 'Transaction signature.'],
  signing_address: [address, 'owner'],
  solana_amount: [amount, 'lamports'],
  side: [word(['buy', 'sell']), 'side'],
  slot: [integer, 'slot'],
});

const Level = ExplainedWord<BundleLevel>({
  L1: 'several signers bought in one transaction',
  L2: 'neighbouring transactions share one tip',
  L2o: 'similar purchases directly after the launch',
  L3: 'linked wallets bought within two slots',
  exact: 'a bundle explorer names the transactions as one bundle',
});

/** Trades that were placed together. */
export const BundleBody = wireRecord<BundleGroup>()(
  {
    slot: [integer, ({ name }) => name.slot, 'Slot of the first transaction.'],
    timestamp: [maybeInstant, 'timeMs'],
    level: [plain(Level), 'level', 'How the most certain member was found.'],
    certainty: [plain(Type.Number()), 'certainty', 'Of that member, from 0 to 1.'],
    tip: [sol, 'tipLamports', 'Jito tips of the transactions of the bundle, in SOL.'],
    members: [list(Member), 'members', 'In block order.'],
  },
  { title: 'Bundle', description: 'Trades that were placed together.' },
);
