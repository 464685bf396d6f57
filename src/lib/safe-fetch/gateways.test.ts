import { describe, expect, it } from 'vitest';
import { contentUrls } from './gateways.ts';

const GATEWAYS = { ipfs: ['https://one.test', 'https://two.test'], arweave: ['https://ar.test'] };
const V0 = 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG';
const V1 = 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi';
const TX = 'bNbA3TEQVL60xlgCcqdz4ZPHFZ711cZ3hmkpGttDt_U';

describe('contentUrls', () => {
  it.each([
    [`ipfs://${V0}`, `ipfs://${V0}`],
    [`ipfs://${V0}/a b.png`, `ipfs://${V0}/a%20b.png`],
    [`ipfs://ipfs/${V0}/1.json`, `ipfs://${V0}/1.json`],
    [`https://gateway.pinata.cloud/ipfs/${V1}/x?y=1`, `ipfs://${V1}/x?y=1`],
    [`https://${V1}.ipfs.dweb.link/x`, `ipfs://${V1}/x`],
    [`ar://${TX}/0.json`, `ar://${TX}/0.json`],
    [`https://arweave.net/${TX}`, `ar://${TX}`],
  ])('identifies %s by its content', (url, canonicalUrl) => {
    expect(contentUrls(url, GATEWAYS)?.canonicalUrl).toBe(canonicalUrl);
  });

  it('lists every configured gateway in order', () => {
    expect(contentUrls(`ipfs://${V0}/1`, GATEWAYS)?.urls).toEqual([
      `https://one.test/ipfs/${V0}/1`,
      `https://two.test/ipfs/${V0}/1`,
    ]);
    expect(contentUrls(`ar://${TX}`, GATEWAYS)?.urls).toEqual([`https://ar.test/${TX}`]);
  });

  it.each([
    'https://example.com/a.json',
    'ipfs://../etc',
    'ipfs://short',
    'ar://x',
    'no url',
    'https://a.test/ipfs/',
  ])('does not change %s', (url) => {
    expect(contentUrls(url, GATEWAYS)).toBeNull();
  });
});
