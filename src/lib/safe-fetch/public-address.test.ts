import { describe, expect, it } from 'vitest';
import { isPublicAddress } from './public-address.ts';

/**
 * The first, last or a typical address of each range of RELIABILITY §4.3 and of IANA's registries.
 */
const FORBIDDEN = [
  '0.0.0.0',
  '0.255.255.255',
  '10.0.0.0',
  '10.255.255.255',
  '100.64.0.0',
  '100.100.100.200',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.255',
  '169.254.0.0',
  '161.26.0.10',
  '166.8.0.0',
  '166.11.255.255',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.0',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.168.0.0',
  '192.168.255.255',
  '198.18.0.0',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.7',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::ffff:7f00:1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '64:ff9b::7f00:1',
  '64:ff9b::808:808',
  '64:ff9b:1::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:808:808::1',
  'fc00::1',
  'fd00:ec2::254',
  'fdff::1',
  'fe80::1',
  'fe80::1%eth0',
  'febf::1',
  'fec0::1',
  'ff02::1',
  '100::1',
  '5f00::1',
];
const NO_ADDRESS = ['', 'example.com', '127.1', '0x7f.0.0.1', '1.2.3.4.5', '256.1.1.1', '12345'];
const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.1',
  '166.7.255.255',
  '166.12.0.0',
  '168.63.129.17',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:80b::200e',
];

describe('isPublicAddress', () => {
  it.each(FORBIDDEN)('rejects %s, which is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(NO_ADDRESS)('rejects "%s", which is not an address in canonical notation', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(PUBLIC)('accepts %s, next to a forbidden range or far from all', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});
