import { rowLayout } from '../../lib/row-layout.ts';

/** Recipients per row of a list. Most funders have one recipient, and few have more than five. */
export const LISTED = 4;

/** The wallets that one funder paid. Wallets are address ids, times logical milliseconds. */
export const FUNDER_LAYOUT = rowLayout({
  /** Last payment to `recipient`; for a hub, when it became one. */
  paidMs: 'f64',
  /** The first recipient listed; the others are in rows of RECIPIENTS_LAYOUT. */
  recipient: 'u32',
  /** Newest row of further recipients plus one, 0 for none; all others but this one are full. */
  more: 'u32',
  /** The estimate of all recipients (distinct-registers.ts) plus one, 0 while it is not needed. */
  estimate: 'u32',
  /** Recipients listed. */
  recipients: 'u16',
  /** 1 for a hub, which has no recipients listed. */
  isHub: 'u8',
});

/** Up to four recipients of a funder; `next` is the row of earlier ones plus one, 0 for none. */
export const RECIPIENTS_LAYOUT = rowLayout({
  paidMs: ['f64', LISTED],
  recipient: ['u32', LISTED],
  next: 'u32',
});
