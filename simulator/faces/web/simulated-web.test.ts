import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAddress } from '../../../src/model/units.ts';
import type { SocialToken } from '../../posts/social-tokens.ts';
import { SimulatedWeb } from './simulated-web.ts';
import { tokenPicture } from './token-picture.ts';

const FROG: SocialToken = {
  mint: asAddress('So11111111111111111111111111111111111111112'),
  ...{ name: 'Lazy Frog', symbol: 'LAZFROG', handle: 'lazfrog_sol', website: null },
};

describe('the web of a simulated market', () => {
  const web = new SimulatedWeb((uri) =>
    uri === 'https://metadata.example/1a2b.json' ? FROG : null,
  );
  let origin = '';

  beforeAll(async () => {
    origin = await web.listen();
  });
  afterAll(() => web.close());

  it('serves the document of a token, with its account and without a site if it has none', async () => {
    const answer = await fetch(`${origin}/metadata.example/1a2b.json`);
    expect(await answer.json()).toEqual({
      name: 'Lazy Frog',
      symbol: 'LAZFROG',
      description: 'Lazy Frog lives in a simulated market.',
      image: 'https://metadata.example/pictures/lazy-frog.png',
      twitter: 'https://x.com/lazfrog_sol',
    });
  });

  it('serves the picture that the document names, as a PNG that another decoder reads', async () => {
    const answer = await fetch(`${origin}/metadata.example/pictures/lazy-frog.png`);
    const picture = sharp(Buffer.from(await answer.arrayBuffer()), { failOn: 'warning' });
    const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: 96, height: 96, channels: 3 });
    // Cells of 16 pixels: all pixels of the first cell are equal, but not all cells are.
    const pixelAt = (x: number, y: number) => data.readUIntBE((y * 96 + x) * 3, 3);
    expect(pixelAt(15, 15)).toBe(pixelAt(0, 0));
    expect(new Set([0, 16, 32, 48].map((x) => pixelAt(x, 0))).size).toBeGreaterThan(1);
  });

  it('answers for sites and accounts, and for no other path', async () => {
    const statusOf = async (path: string) => (await fetch(`${origin}${path}`)).status;
    expect(await statusOf('/lazfrog-sol.example/')).toBe(200);
    expect(await statusOf('/x.com/lazfrog_sol')).toBe(200);
    expect(await statusOf('/metadata.example/ffff.json')).toBe(404);
    expect(await statusOf('/ipfs.io/ipfs/Qm')).toBe(404);
    expect(await statusOf('/')).toBe(404);
  });
});

it('serves the same picture for tokens of one name, and others for other names', () => {
  expect(tokenPicture('lazy-frog')).toEqual(tokenPicture('lazy-frog'));
  expect(tokenPicture('lazy-frog')).not.toEqual(tokenPicture('lazy-cat'));
});
