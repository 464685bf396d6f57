import type { Address } from '../../src/model/units.ts';
import type { World } from '../market/world.ts';
import type { AttractiveToken, Interest } from '../people/token-interest.ts';
import type { Random, Range } from '../random/random.ts';

/** Time from the launch to the second wave. */
const DELAY_MS = { medianMs: 3 * 3_600_000, spread: 0.7 } as const;
/** How attractive the token is the second time: a wave that nobody noticed is none. */
const QUALITY: Range = { least: 0.45, most: 0.85 };

/**
 * Tokens that find attention a second time, hours after their launch: a share of all, whatever the
 * first attention was. Draws nothing for a share of 0.
 */
export class SecondWaves {
  private readonly world: World;
  private readonly random: Random;
  private readonly share: number;

  constructor(world: World, random: Random, share: number) {
    this.world = world;
    this.random = random;
    this.share = share;
  }

  /** Plans the second wave of a launched token, if it has one. */
  plan(
    mint: Address,
    crowd: { attract(token: AttractiveToken, interest: Interest): unknown },
  ): void {
    const { world, random } = this;
    if (this.share === 0 || !random.chance(this.share)) return;
    const quality = random.within(QUALITY);
    world.after(Math.round(random.logNormal(DELAY_MS.medianMs, DELAY_MS.spread)), () => {
      crowd.attract({ mint }, { quality, startMs: world.nowMs });
    });
  }
}
