// A worker that creates the server twice, closes both, and sends the events that still have listeners.
import { primaryLink } from '../../dist/modules/src/platform/cluster/primary-link.js';
import { createApp } from '../../dist/modules/src/create-app.js';

for (let time = 0; time < 2; time++) {
  const app = await createApp().catch(() => undefined);
  await app?.init();
  await app?.close();
}
process.send(primaryLink.eventNames(), () => process.exit(0));
