/** Pointers of git-LFS: small texts in the place of large files that were not fetched. Pure. */
import type { Hash } from '../job.ts';

/** A pointer has fewer bytes (specification of git-LFS). */
export const POINTER_BYTES = 1024;
/** It has these parts at least. */
export const LEAST_POINTER_BYTES =
  'version https://git-lfs.github.com/spec/v1\n'.length + 'oid sha256:\n'.length + 64;
const POINTER =
  /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:\S+ .*\n)*?oid sha256:([0-9a-f]{64})\n/;

/** The hash of the file that a pointer stands for; undefined: it is not a pointer. */
export function pointedTo(bytes: Uint8Array): Hash | undefined {
  if (bytes.byteLength >= POINTER_BYTES) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return POINTER.exec(text)?.[1] as Hash | undefined;
}
