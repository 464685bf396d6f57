import { rowLayout } from '../../../lib/row-layout.ts';

/** What is held against one wallet in one mint. Slots are those from which it counts. */
export const TOKEN_BOT_LAYOUT = rowLayout({
  /** Address ids. */
  mint: 'u32',
  wallet: 'u32',
  sniperSlot: 'u32',
  swarmSlot: 'u32',
  coordinationSlot: 'u32',
  /** Established traders of the hour, and those of them that use the swarm's skeleton. */
  swarmOthers: 'u32',
  swarmUsers: 'u32',
  /** Row of the wallet's previous mint plus one, 0 for none. */
  older: 'u32',
  swarmWallets: 'u16',
  /** Of the finding, times 10,000. */
  confidence: 'u16',
  /** Index of the finding's type in FRAUD_TYPES. */
  fraudType: 'u8',
  /** Slots from the launch to the first purchase. */
  sniperDelay: 'u8',
  /** Bits of REASON that hold. */
  reasons: 'u8',
});

export const REASON = { sniper: 1, swarm: 2, coordination: 4 } as const;
