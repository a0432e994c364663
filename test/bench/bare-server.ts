/** Answers every request alike: `node bare-server.ts PORT`, the answer as JSON on standard input. */
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

const { headers, body } = JSON.parse(await text(process.stdin)) as {
  headers: Record<string, string>
  body: string
}
createServer((_request, response) => response.writeHead(200, headers).end(body)).listen(
  Number(process.argv[2]),
  '127.0.0.1'
)
