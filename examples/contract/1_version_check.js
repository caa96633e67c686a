import { init } from 'minitensor';

const { plugins } = await init();

const currentVersion = plugins.VersionInfo.current();
const minimum = new plugins.VersionInfo(0, 1, 0);

if (currentVersion.isCompatibleWith(minimum)) {
  console.log(`MiniTensor ${currentVersion} satisfies the minimum requirement`);
}
