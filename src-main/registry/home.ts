import type { FastifyInstance } from 'fastify'

/**
 * GET    /    what this is, for people who open it in a browser, and for programs
 */
export function homeRoutes(app: FastifyInstance): void {
  app.get('/', (request, reply) => {
    if (!/\btext\/html\b/.test(request.raw.headers.accept ?? ''))
      return reply.send({ name: 'Boxyard', description, api: ['/api/v1', '/api/v2'] })
    return reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
        vary: 'Accept'
      })
      .send(page(request.base))
  })
}

const description = 'A registry for virtual machine boxes, on this machine.'

// The host was checked to hold nothing but letters, digits and a few marks that mean nothing in HTML.
const page = (base: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Boxyard</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 42rem; margin: 4rem auto; padding: 0 1rem }
  pre { background: #8881; padding: 1rem; overflow-x: auto }
  :root { color-scheme: light dark }
</style>
</head>
<body>
<h1>Boxyard</h1>
<p>${description} Three lines make <code>vagrant</code> use it:</p>
<pre>export VAGRANT_SERVER_URL=${base}
vagrant cloud auth login --token TOKEN
vagrant box add ORGANIZATION/BOX</pre>
<p><code>boxyard token create</code> prints a token; public boxes need none. The API is at
<code>${base}/api/v2</code> and <code>${base}/api/v1</code>.</p>
</body>
</html>
`
