/** The supported formats, recognised by their first bytes, never by name or declared type. */
export type PictureFormat = 'png' | 'jpeg' | 'webp' | 'gif';

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const JPEG = [0xff, 0xd8, 0xff];

/** Null for all others: readers of SVG, PDF, TIFF and HEIC are unsafe for untrusted files. */
export function pictureFormat(bytes: Uint8Array): PictureFormat | null {
  if (startsWith(bytes, PNG, 0)) return 'png';
  if (startsWith(bytes, JPEG, 0)) return 'jpeg';
  if (startsWith(bytes, ascii('GIF87a'), 0) || startsWith(bytes, ascii('GIF89a'), 0)) return 'gif';
  const isWebp = startsWith(bytes, ascii('RIFF'), 0) && startsWith(bytes, ascii('WEBP'), 8);
  return isWebp ? 'webp' : null;
}

function ascii(text: string): number[] {
  return [...text].map((letter) => letter.charCodeAt(0));
}

function startsWith(bytes: Uint8Array, expected: readonly number[], offset: number): boolean {
  return expected.every((byte, at) => bytes[offset + at] === byte);
}
