import { describe, expect, it } from 'vitest';
import { jobUrl } from './job-url.ts';

const CID = 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG';
const GATEWAYS = { ipfs: ['https://one.example'], arweave: ['https://two.example'] };

describe('jobUrl', () => {
  it.each([`ipfs://${CID}`, `https://ipfs.io/ipfs/${CID}`, `https://pinata.example/ipfs/${CID}`])(
    'is equal for all URLs of the same content: %s',
    (url) => {
      expect(jobUrl(url, GATEWAYS)).toEqual({
        key: `ipfs://${CID}`,
        isLasting: true,
        host: null,
      });
    },
  );

  it('of a page is its URL without the fragment', () => {
    expect(jobUrl('HTTPS://Cat.Example:443/a.json#x', GATEWAYS)).toEqual({
      key: 'https://cat.example/a.json',
      isLasting: false,
      host: 'cat.example',
    });
  });

  it('of a long URL and of embedded content is short', () => {
    const long = jobUrl(`https://cat.example/${'a'.repeat(2_000)}`, GATEWAYS);
    expect(long?.key).toMatch(/^sha256:[0-9a-f]{64}$/);
    const written = jobUrl(`data:application/json,${'a'.repeat(100_000)}`, GATEWAYS);
    expect(written).toMatchObject({ isLasting: true, host: null });
    expect(written?.key).toMatch(/^data:[0-9a-f]{64}$/);
  });

  it('is null for texts that are not URLs, and for overlong ones', () => {
    expect(jobUrl('cat', GATEWAYS)).toBeNull();
    expect(jobUrl('', GATEWAYS)).toBeNull();
    expect(jobUrl(`https://cat.example/${'a'.repeat(3_000)}`, GATEWAYS)).toBeNull();
  });
});
