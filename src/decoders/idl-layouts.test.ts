import { describe, expect, it } from 'vitest';
import { type Idl, readIdl } from '../../tests/support/idl.ts';
import { hasTestData } from '../../tests/support/test-data.ts';
import { clmmLayout } from './families/clmm-layout.ts';
import { launchlabLayout } from './families/launchlab-layout.ts';
import { lifinityLayout } from './families/lifinity.ts';
import { meteoraDammV2Layout } from './families/meteora-damm-v2-layout.ts';
import { meteoraDlmmLayout } from './families/meteora-dlmm-layout.ts';
import { pumpAmmLayout } from './families/pump-amm-layout.ts';
import { pumpLayout } from './families/pump-layout.ts';
import { whirlpoolLayout } from './families/whirlpool-layout.ts';
import { compareInterface } from './idl/compare-interface.ts';
import { snakeCase } from './idl/program-interface.ts';
import { meteoraDammV1Layout } from './programs/meteora-damm-v1.ts';
import { meteoraDbcLayout } from './programs/meteora-dbc.ts';
import { openbookV2Layout } from './programs/openbook-v2.ts';
import { raydiumAmmV4Layout } from './programs/raydium-amm-v4.ts';
import { raydiumCpmmLayout } from './programs/raydium-cpmm.ts';
import { anchorDiscriminator } from './transaction/anchor-discriminator.ts';
import type { TypedEvent } from './transaction/anchor-layout.ts';
import type { FieldType } from './transaction/borsh-record.ts';
import type { ProgramLayout } from './transaction/program-layout.ts';

/** A layout and the published interfaces it must agree with. */
interface Case {
  readonly name: string;
  readonly layout: ProgramLayout;
  /** Newest first. */
  readonly idls: readonly string[];
  /** Anchor hashes names; older programs number their instructions in interface order. */
  readonly discriminators: 'hash' | 'number';
  /** False: the program's events are only written to the log, so no instruction carries them. */
  readonly hasSelfEvents: boolean;
  /** Instructions that are in no interface file; the layout documents their source. */
  readonly unpublished: readonly string[];
  /** Events that are in no interface file. */
  readonly unpublishedEvents?: readonly string[];
}

const RAYDIUM = { hasSelfEvents: false, unpublished: [] };
const PUMP = { discriminators: 'hash', hasSelfEvents: true, unpublished: [] } as const;

const CASES: readonly Case[] = [
  {
    ...PUMP,
    name: 'pump',
    layout: pumpLayout,
    idls: ['pump.2026-10.idl', 'pump.official', 'pump.2025-07', 'pump.2024'],
  },
  {
    ...PUMP,
    name: 'pump_amm',
    layout: pumpAmmLayout,
    idls: ['pump_amm.2026-10.idl', 'pump_amm.official', 'pump_amm.2025-07'],
  },
  {
    ...RAYDIUM,
    name: 'raydium_cpmm',
    layout: raydiumCpmmLayout,
    idls: ['raydium_cpmm.official'],
    discriminators: 'hash',
    unpublished: ['initialize_with_permission', 'close_permission_pda', 'create_permission_pda'],
  },
  {
    ...RAYDIUM,
    name: 'raydium_clmm',
    layout: clmmLayout,
    idls: ['raydium_clmm.official'],
    discriminators: 'hash',
  },
  {
    ...RAYDIUM,
    name: 'raydium_amm_v4',
    layout: raydiumAmmV4Layout,
    idls: ['raydium_amm_v4.official'],
    discriminators: 'number',
    unpublished: ['swap_base_in_v2', 'swap_base_out_v2'],
  },
  {
    name: 'raydium_launchlab',
    layout: launchlabLayout,
    idls: ['raydium_launchpad', 'raydium_launchlab'],
    discriminators: 'hash',
    hasSelfEvents: true,
    unpublished: [
      'close_platform_allow_config',
      'close_platform_curve_rule',
      'create_platform_allow_config',
      'create_platform_curve_rule',
      'remove_platform_curve_rule',
      'update_platform_curve_rule',
    ],
  },
  {
    name: 'orca_whirlpool',
    layout: whirlpoolLayout,
    idls: ['orca_whirlpool', 'whirlpool_0.30.1.codama'],
    discriminators: 'hash',
    hasSelfEvents: false,
    unpublished: [
      'increase_liquidity_by_token_amounts_v2',
      'reposition_liquidity_v2',
      'initialize_dynamic_tick_array',
      'migrate_repurpose_reward_authority_space',
      'set_adaptive_fee_constants',
      'set_config_feature_flag',
      'set_token_badge_attribute',
    ],
  },
  {
    name: 'lifinity_v2',
    layout: lifinityLayout,
    idls: ['lifinity_v2'],
    discriminators: 'hash',
    hasSelfEvents: false,
    unpublished: [],
  },
  {
    name: 'meteora_dlmm',
    layout: meteoraDlmmLayout,
    idls: ['meteora_dlmm', 'meteora_dlmm.carbon'],
    discriminators: 'hash',
    hasSelfEvents: true,
    unpublished: [
      'add_liquidity_by_weight2',
      'rebalance_liquidity',
      'cancel_limit_order',
      'close_bin_array',
      'close_claim_fee_operator_account',
      'close_limit_order_if_empty',
      'close_operator_account',
      'close_token_badge',
      'create_operator_account',
      'decrease_position_length',
      'increase_position_length',
      'increase_position_length2',
      'initialize_position2',
      'place_limit_order',
      'set_permissionless_operation_bits',
      'zap_protocol_fee',
    ],
    unpublishedEvents: [
      'Swap2Evt',
      'CancelLimitOrderEvt',
      'ClaimFee2',
      'ClaimReward2',
      'CloseLimitOrderEvt',
      'PlaceLimitOrderEvt',
      'Rebalancing',
      'SetPositionPermissionlessOperationBitsEvt',
    ],
  },
  {
    name: 'meteora_damm_v1',
    layout: meteoraDammV1Layout,
    idls: ['meteora_amm'],
    discriminators: 'hash',
    hasSelfEvents: false,
    unpublished: [
      'initialize_customizable_permissionless_constant_product_pool',
      'initialize_permissionless_constant_product_pool_with_config',
      'initialize_permissionless_constant_product_pool_with_config2',
      'close_config',
      'create_config',
      'partner_claim_fee',
      'set_whitelisted_vault',
      'update_activation_point',
      'withdraw_protocol_fees',
    ],
  },
  {
    name: 'meteora_damm_v2',
    layout: meteoraDammV2Layout,
    idls: ['meteora_damm_v2'],
    discriminators: 'hash',
    hasSelfEvents: true,
    unpublished: [
      'claim_protocol_fee2',
      'fix_config_fee_params',
      'fix_pool_fee_params',
      'fix_pool_layout_version',
      'lock_inner_position',
      'update_delegate_permission',
      'withdraw_dead_liquidity_reward',
    ],
    unpublishedEvents: [
      'EvtClaimProtocolFee2',
      'EvtSplitPosition3',
      'EvtUpdateDelegatePermission',
      'EvtWithdrawDeadLiquidityReward',
      'EvtAddLiquidity',
      'EvtCloseClaimFeeOperator',
      'EvtCreateClaimFeeOperator',
      'EvtRemoveLiquidity',
      'EvtSplitPosition',
      'EvtSwap',
    ],
  },
  {
    name: 'meteora_dbc',
    layout: meteoraDbcLayout,
    idls: ['meteora_dbc'],
    discriminators: 'hash',
    hasSelfEvents: true,
    unpublished: [
      'swap2_with_transfer_hook',
      'initialize_virtual_pool_with_token2022_transfer_hook',
      'claim_creator_trading_fee2',
      'claim_protocol_fee2',
      'claim_trading_fee2',
      'create_config_with_transfer_hook',
    ],
    unpublishedEvents: [
      'EvtSwap2WithTransferHook',
      'EvtCurveCompleteWithTransferHook',
      'EvtClaimProtocolFee2',
      'EvtCloseTokenBadge',
      'EvtCreateConfigV2WithTransferHook',
      'EvtInitializePoolWithTransferHook',
    ],
  },
  {
    name: 'openbook_v2',
    layout: openbookV2Layout,
    idls: ['openbook_v2'],
    discriminators: 'hash',
    hasSelfEvents: true,
    unpublished: [],
  },
];

describe.skipIf(!hasTestData).each(CASES)('the layout of $name', (program) => {
  const { layout, discriminators, unpublished } = program;
  const idls = hasTestData ? program.idls.map(readIdl) : [];
  const [newest] = idls;
  const instructions = { ...discriminatorsOf(layout.instructions), ...layout.ignoredInstructions };
  const events = { ...discriminatorsOf(layout.events), ...layout.ignoredEvents };

  it('contains only instructions and events of an interface', () => {
    const published = idls.flatMap((idl) => idl.instructions.map(({ name }) => name));
    const eventNames = idls.flatMap((idl) => idl.events.map(({ name }) => name));
    const names = Object.keys(instructions).map(snakeCase);
    expect(names.filter((name) => !published.includes(name))).toEqual(unpublished);
    expect(Object.keys(events).filter((name) => !eventNames.includes(name))).toEqual(
      program.unpublishedEvents ?? [],
    );
  });

  it('has the discriminator of every instruction and event', () => {
    const expected = (name: string) =>
      discriminators === 'hash'
        ? anchorDiscriminator('global', snakeCase(name))
        : numberOf(newest, name);
    const derivable = Object.keys(instructions).filter(
      (name) => discriminators === 'hash' || !unpublished.includes(snakeCase(name)),
    );
    expect(derivable.map((name) => [name, instructions[name]])).toEqual(
      derivable.map((name) => [name, expected(name)]),
    );
    expect(Object.entries(events)).toEqual(
      Object.keys(events).map((name) => [name, anchorDiscriminator('event', name)]),
    );
  });

  it('has every account at its position in all interfaces that name it', () => {
    const published = Object.entries(layout.instructions).filter(
      ([name]) => !unpublished.includes(snakeCase(name)),
    );
    for (const [name, { accounts }] of published) {
      for (const [account, position] of Object.entries(accounts)) {
        const positions = positionsOf(idls, snakeCase(name), snakeCase(account));
        expect([...positions], `${account} of ${name}`).toEqual([position]);
      }
    }
  });

  it('reads event fields in the order of every interface', () => {
    for (const [name, { fields }] of Object.entries(layout.events)) {
      if (program.unpublishedEvents?.includes(name)) continue;
      for (const { events: published } of idls) {
        const event = published.find((candidate) => candidate.name === name);
        const order = event?.fields.map((field) => field.name) ?? [];
        const length = Math.min(order.length, fields.length);
        expect(fields.slice(0, length), name).toEqual(order.slice(0, length));
      }
      const longest = newestEvent(idls, name)?.fields ?? [];
      expect(fields.length, name).toBeLessThanOrEqual(longest.length);
    }
  });

  it('reads event fields with the types of every interface', () => {
    for (const [name, { record }] of typedEvents(layout)) {
      for (const { events: published } of idls) {
        const fields = published.find((event) => event.name === name)?.fields ?? [];
        for (const field of fields) {
          const type = record.types[field.name];
          if (type !== undefined)
            expect([name, field.name, kindOf(type)]).toEqual([
              name,
              field.name,
              publishedKind(field.type),
            ]);
        }
      }
    }
  });

  it('has no difference that `idl diff` reports as missed, misread or renamed', () => {
    const [first] = idls;
    const differences = first === undefined ? [] : compareInterface(first, layout);
    expect(differences.filter(({ kind }) => kind !== 'absent')).toEqual([]);
  });

  it('reads or ignores everything in the newest interface', () => {
    const known = Object.keys(instructions).map(snakeCase);
    const missing = newest?.instructions.filter(({ name }) => !known.includes(name));
    expect(missing?.map(({ name }) => name)).toEqual([]);
    const unhandled = program.hasSelfEvents
      ? newest?.events.filter(({ name }) => events[name] === undefined)
      : [];
    expect(unhandled?.map(({ name }) => name)).toEqual([]);
  });
});

function typedEvents({ events }: ProgramLayout): [string, TypedEvent<unknown>][] {
  return Object.entries(events).map(([name, event]) => [name, event as TypedEvent<unknown>]);
}

/** Enumerations are read as their number, so that they count as structs here. */
function kindOf(type: FieldType): string {
  if (type === 'u8') return 'u8 or struct';
  if (typeof type === 'string') return type;
  return Array.isArray(type) ? 'vector' : 'u8 or struct';
}

/** The type in Anchor's form or Codama's. */
function publishedKind(type: unknown): string {
  if (typeof type === 'string')
    return kindOf((type === 'publicKey' ? 'pubkey' : type) as FieldType);
  const { kind, format } = type as { readonly kind?: string; readonly format?: string };
  if (kind === 'numberTypeNode') return kindOf(format as FieldType);
  if (kind === 'publicKeyTypeNode') return 'pubkey';
  if (kind === 'booleanTypeNode') return 'bool';
  return 'vec' in (type as object) ? 'vector' : 'u8 or struct';
}

/** The event in the newest interface that has it, since some were removed later. */
function newestEvent(idls: readonly Idl[], name: string): Idl['events'][number] | undefined {
  for (const { events } of idls) {
    const event = events.find((candidate) => candidate.name === name);
    if (event !== undefined) return event;
  }
  return undefined;
}

function discriminatorsOf(
  read: Readonly<Record<string, { readonly discriminator: string }>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(read).map(([name, { discriminator }]) => [name, discriminator]),
  );
}

function numberOf(idl: Idl | undefined, name: string): string | undefined {
  const number = idl?.instructions.findIndex((candidate) => candidate.name === snakeCase(name));
  return number?.toString(16).padStart(2, '0');
}

function positionsOf(idls: readonly Idl[], instruction: string, account: string): Set<number> {
  const positions = new Set<number>();
  for (const idl of idls) {
    const accounts = idl.instructions.find(({ name }) => name === instruction)?.accounts ?? [];
    const position = accounts.indexOf(account);
    if (position >= 0) positions.add(position);
  }
  return positions;
}
