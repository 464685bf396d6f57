import { EXAMPLE } from '../schemas/examples.ts';

/** Fictitious launch bundle: σ(−1 + 2.2 · 1 + 2 · 0.3) = σ(1.8) = 0.8581. */
export const CLASSIFICATION_EXAMPLE = {
  id: EXAMPLE.uuid,
  token_address: EXAMPLE.mint,
  pair_address: EXAMPLE.pool,
  fraud_type: 'traditional_bundle',
  confidence_score: 0.8581,
  confidence_level: 'high',
  evidence: [
    {
      id: '5f3f1b1e-0c9e-5d0b-9f57-7f0a3f3f6a01',
      evidence_type: 'bundled_transaction',
      description: '8 wallets bought 31 % of the supply in one bundle.',
      weight: 0.7857,
      data: {
        type: 'transaction',
        payload: {
          signatures: [EXAMPLE.signature],
          slot: EXAMPLE.slot,
          wallets: [EXAMPLE.wallet],
          total_value: '12.500000000',
          total_value_sol: '12.500000000',
          total_value_usd: '2500.00',
          is_bundled: true,
        },
      },
      collected_at: EXAMPLE.instant,
    },
    {
      id: '5f3f1b1e-0c9e-5d0b-9f57-7f0a3f3f6a02',
      evidence_type: 'suspicious_timing',
      description: 'All of them bought within the slot of the launch.',
      weight: 0.2143,
      data: {
        type: 'timing',
        payload: {
          timestamps: [EXAMPLE.instant, EXAMPLE.instant],
          slots: [EXAMPLE.slot, EXAMPLE.slot],
          time_deltas_ms: [0],
          pattern: 'launch_block',
        },
      },
      collected_at: EXAMPLE.instant,
    },
  ],
  involved_wallets: [
    {
      address: EXAMPLE.creator,
      role: 'attacker',
      tokens_acquired: '310000000.000000',
      sol_amount: '12.500000000',
      first_seen_slot: EXAMPLE.slot,
      labels: ['creator'],
    },
  ],
  estimated_value_at_risk: '6622.00',
  detection_slot: EXAMPLE.slot,
  pattern_start_slot: EXAMPLE.slot,
  created_at: EXAMPLE.instant,
  updated_at: EXAMPLE.instant,
  status: 'reviewed',
} as const;

export const DETAIL_EXAMPLE = {
  ...CLASSIFICATION_EXAMPLE,
  slot: EXAMPLE.slot,
  bias: -1,
  raw_score: 0.8581489350995123,
  calibration_version: 1,
  features: [
    {
      name: 'share',
      measured: 0.31,
      threshold: [0.05, 0.25],
      value: 1,
      weight: 2.2,
      contribution: 2.2,
      confidence_without: 0.4013,
    },
    {
      name: 'contiguity',
      measured: 0.3,
      threshold: null,
      value: 0.3,
      weight: 2,
      contribution: 0.6,
      confidence_without: 0.7685,
    },
  ],
  review: [
    {
      from: 'active',
      to: 'reviewed',
      account_id: 'default',
      key_id: 'k7m2q9xw',
      note: 'Funded by one wallet an hour before.',
      at: EXAMPLE.instant,
    },
  ],
} as const;
