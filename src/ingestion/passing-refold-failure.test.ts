import { expect, test } from 'vitest';
import { deviceError } from '../../tests/support/file-operations.ts';
import { fallbackSolUsd } from '../../tests/support/master-fixture.ts';
import { Engine } from '../engine/engine.ts';
import { asSlot } from '../model/units.ts';
import { LiveState } from './live-state.ts';
import { StateFailure } from './state-failure.ts';
import { WriteRecovery } from './write-recovery.ts';

test('a device that fails for a moment while the end of a log is folded costs that work, not the service', async () => {
  const recovery = new WriteRecovery(Date.now, () => undefined);
  recovery.enable({ signal: new AbortController().signal });
  const state = new LiveState({
    recovery,
    states: {},
    log: {},
    // Older slots were dropped, so that the whole log cannot be folded.
    logStart: { slot: asSlot(5) },
    cursor: () => ({ epoch: 1, slot: asSlot(9), isDirty: true }),
    nowMs: Date.now,
  } as unknown as ConstructorParameters<typeof LiveState>[0]);
  const engine = new Engine({ fallbackSolUsd });
  const failure = new StateFailure(deviceError('EIO'));
  expect(await state.afterRefold(failure, { engine, isWhole: false })).toBe('again');
});
