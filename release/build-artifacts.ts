import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildSdk } from '../sdk/build/build-sdk.ts';
import { writeChecksums } from './checksums.ts';
import { ROOT, read, show, succeeds } from './commands.ts';
import type { LockFile } from './lock-file.ts';
import { makeSbom } from './sbom.ts';

const NODE_IMAGE = 'node:26-bookworm-slim';

export type Artifacts = {
  readonly version: string;
  readonly outDir: string;
  readonly say: (line: string) => void;
};

/** Writes all files of a release and their checksums into an emptied folder, and builds its image. */
export async function buildArtifacts(artifacts: Artifacts): Promise<void> {
  const { outDir, say } = artifacts;
  rmSync(outDir, { recursive: true, force: true });
  mkdirSync(outDir, { recursive: true });
  say('Building the SDK tarball');
  await packSdk(artifacts);
  await buildImage(artifacts);
  say('Writing the bill of materials (CycloneDX 1.6)');
  writeSbom(artifacts);
  for (const name of await writeChecksums(outDir)) say(`  ${join(outDir, name)}`);
}

/** Packs the built package. A tarball of the folder `sdk` would hold the sources instead (build-sdk.ts). */
async function packSdk({ outDir }: Artifacts): Promise<void> {
  const built = mkdtempSync(join(tmpdir(), 'assay-sdk-'));
  try {
    await buildSdk(built);
    await read('npm', ['pack', built, '--pack-destination', resolve(outDir), '--silent']);
  } finally {
    rmSync(built, { recursive: true, force: true });
  }
}

async function buildImage({ version, outDir, say }: Artifacts): Promise<void> {
  const tag = `assay:${version}`;
  const build = ['build', '-f', 'deploy/Dockerfile', '-t', tag, '--build-arg'];
  const label = ['--label', `org.opencontainers.image.version=${version}`];
  if (!(await succeeds('docker', ['version']))) {
    say(
      `No Docker daemon answers here: the image is not built. Where one runs: docker ${build.join(' ')} NODE_IMAGE=node@sha256:… .`,
    );
    return;
  }
  const base = await pinnedImage();
  say(`Building the image ${tag} on ${base}`);
  await show('docker', [...build, `NODE_IMAGE=${base}`, ...label, '.']);
  await show('docker', ['save', '--output', join(outDir, `assay-${version}-image.tar`), tag]);
}

/** A tag can be moved to another image, so a release is built on the digest that the tag had, and prints it. */
async function pinnedImage(): Promise<string> {
  await show('docker', ['pull', '--quiet', NODE_IMAGE]);
  return read('docker', ['image', 'inspect', '--format', '{{index .RepoDigests 0}}', NODE_IMAGE]);
}

function writeSbom({ version, outDir, say }: Artifacts): void {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as LockFile;
  const sbom = makeSbom(lock, { version, timestamp: new Date().toISOString(), uuid: randomUUID() });
  writeFileSync(join(outDir, `assay-${version}.cdx.json`), `${JSON.stringify(sbom, null, 2)}\n`);
  const unhashed = sbom.components.filter(({ type, hashes }) => type === 'library' && hashes === undefined);
  if (unhashed.length > 0)
    say(`  ${unhashed.length} packages for other platforms have no hash (release/without-integrity.json)`);
}
