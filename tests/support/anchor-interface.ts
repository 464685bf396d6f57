import { expect, test } from 'vitest';
import { anchorDiscriminator } from '../../src/decoders/transaction/anchor-discriminator.ts';
import type { ProgramLayout } from '../../src/decoders/transaction/program-layout.ts';

/**
 * Checks for Anchor programs whose interface file is not in the test data: every discriminator is
 * the hash of its name, and the accounts have the positions of the published interface. `published`
 * lists the accounts of each decoded instruction, in order, as far as they are needed.
 */
export function testAnchorLayout(
  layout: ProgramLayout,
  published: Readonly<Record<string, readonly string[]>>,
): void {
  test('has the discriminator that Anchor derives from each name', () => {
    const known = discriminatorsOf(layout.instructions);
    const discriminators = { ...known, ...layout.ignoredInstructions };
    for (const [name, discriminator] of Object.entries(discriminators)) {
      expect([name, discriminator]).toEqual([name, anchorDiscriminator('global', name)]);
    }
    for (const [name, discriminator] of Object.entries(layout.ignoredEvents)) {
      expect([name, discriminator]).toEqual([name, anchorDiscriminator('event', name)]);
    }
  });

  test('has every account at its position in the published interface', () => {
    expect(Object.keys(layout.instructions).sort()).toEqual(Object.keys(published).sort());
    for (const [name, { accounts }] of Object.entries(layout.instructions)) {
      const listed = Object.keys(accounts).map((account) => published[name]?.indexOf(account));
      expect([name, ...listed]).toEqual([name, ...Object.values(accounts)]);
    }
  });
}

function discriminatorsOf(
  read: Readonly<Record<string, { readonly discriminator: string }>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(read).map(([name, { discriminator }]) => [name, discriminator]),
  );
}
