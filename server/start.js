// JavaScript on purpose: Node 20 cannot read TypeScript, and would say so in its own words instead of ours.
const NODE_MAJOR_MIN = 26;
if (Number(process.versions.node.split('.')[0]) < NODE_MAJOR_MIN) {
  process.stderr.write(
    `Assay needs Node ${NODE_MAJOR_MIN} or newer; this is ${process.version}. Run npm ci, then the npm scripts, which bring their own.\n`,
  );
  process.exit(1);
}
await import('./launch/keep-compiled.js');
await import('./launch/run-command.ts');
