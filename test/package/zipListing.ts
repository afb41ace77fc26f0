import { readFileSync } from 'node:fs';

const END_OF_CENTRAL_DIRECTORY = 0x06054b50;
const CENTRAL_ENTRY = 0x02014b50;

/** Names in a zip archive, from its central directory. */
export function zipListing(file: string): string[] {
  const bytes = readFileSync(file);
  let end = bytes.length - 22;
  while (bytes.readUInt32LE(end) !== END_OF_CENTRAL_DIRECTORY) end--;
  const names: string[] = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let entry = 0; entry < bytes.readUInt16LE(end + 10); entry++) {
    if (bytes.readUInt32LE(at) !== CENTRAL_ENTRY) throw new Error(`${file} has no entry at ${at}`);
    const [name, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    names.push(bytes.toString('utf8', at + 46, at + 46 + name));
    at += 46 + name + extra + comment;
  }
  return names;
}
