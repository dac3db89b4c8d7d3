/** Digests of the EICAR test file, which every scanner detects by agreement and which harms nothing. */
export const EICAR = {
  sha256: '275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f',
  sha1: '3395856ce81f2b7382dee72602f798b642f14140',
  md5: '44d88612fea8a8f36de82e1278abb02f',
} as const;
