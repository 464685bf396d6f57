import { isIPv6 } from 'node:net';

/**
 * Network by which clients are counted: an IPv4 address, also when written as IPv6
 * (`::ffff:192.0.2.7`), or the /64 prefix of an IPv6 address, which is usually assigned to one
 * customer (RFC 6177 §2). Text that is not an address is returned unchanged.
 */
export function clientNetwork(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1] !== undefined) return mapped[1];
  if (!isIPv6(address)) return address;
  const [plain = ''] = address.split('%');
  const [head = '', tail] = plain.toLowerCase().split('::');
  const groups = groupsOf(head);
  if (tail !== undefined) {
    const after = groupsOf(tail);
    while (groups.length + after.length < GROUPS) groups.push('0');
    groups.push(...after);
  }
  const network = groups.slice(0, GROUPS / 2).map((group) => group.replace(/^0+(?=.)/, ''));
  return `${network.join(':')}::/64`;
}

const GROUPS = 8;

/** 16-bit groups. An IPv4 suffix stands for two groups, whose values are not used. */
function groupsOf(text: string): string[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));
}
