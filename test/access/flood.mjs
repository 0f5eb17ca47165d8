// Sends 200 forms with wrong passwords a second until it is killed, each from another client network: node flood.mjs URL
const [, , url] = process.argv;
const statuses = {};
let sent = 0;

async function send() {
  sent += 1;
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'X-Forwarded-For': `203.0.${sent % 200}.${Math.floor(sent / 200) % 250}` },
    body: new URLSearchParams({ password: `guess ${sent}`, to: '' }),
  });
  await response.arrayBuffer();
  statuses[response.status] = (statuses[response.status] ?? 0) + 1;
}

process.once('SIGTERM', () => {
  process.stdout.write(JSON.stringify(statuses));
  process.exit();
});
setInterval(() => void send(), 5);
