// The upper bound for mail: nodemailer with the pool of the service sends a message that is already written to many
// addresses. POST returns when all are sent.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { createTransport } from 'nodemailer';
import { type MailMessage, toNodemailer } from '../../src/mail/mail-message.js';
import { MAX_MESSAGES, smtpOptions } from '../../src/mail/smtp-options.js';

const { HOST, PORT, SMTP_URL = '', MAIL_FROM = '' } = process.env;
const transport = createTransport(smtpOptions(SMTP_URL));

/** The message, and the number of its recipients. */
interface Order {
  count: number;
  message: Omit<MailMessage, 'to' | 'key' | 'thread'>;
}

async function send({ count, message }: Order): Promise<void> {
  let next = 0;
  // Twice as many as connections, so that each always has a message.
  const senders = Array.from({ length: 2 * MAX_MESSAGES }, async () => {
    for (let number = next++; number < count; number = next++) {
      const keys = {
        to: `person-${number}@example.com`,
        key: `${Date.now()} ${number}`,
        thread: String(number),
      };
      await transport.sendMail(toNodemailer({ ...message, ...keys }, MAIL_FROM, 'example.com'));
    }
  });
  await Promise.all(senders);
}

createServer((request, response) => {
  const answer = async () => {
    if (request.method === 'POST') {
      const order: Order = JSON.parse(await text(request));
      await send(order);
    }
    response.end();
  };
  answer().catch((error: unknown) => response.writeHead(500).end(String(error)));
}).listen(Number(PORT), HOST);
