#!/usr/bin/env bash
# Drives the real clients (vagrant, packer, curl) against a running registry and prints one PASS or FAIL line a step.
# The exit status is the number of failures. run.ts beside this file starts a registry and runs it.
#
#   usage: drive-clients.sh SERVER_URL
#
# Environment (defaults in brackets):
#   TOKEN    [tok-acme]  a token that may write in $ORG
#   ORG      [acme]      an existing organization (clients never create one)
#   LOGIN / PASSWORD     [acme / secret]  for `vagrant cloud auth login -u`; an empty LOGIN skips that step
#   WORK     [mktemp]    scratch: boxes, VAGRANT_HOME, log.txt; VERBOSE=1 shows what the clients print
#
# Most of its time is vagrant's own: with a token and a foreign host every `box add` and `box update` sleeps 5 seconds.
set -u
S=${1:?usage: $0 SERVER_URL}; S=${S%/}
TOKEN=${TOKEN-tok-acme}; ORG=${ORG-acme}; LOGIN=${LOGIN-acme}; PASSWORD=${PASSWORD-secret}
WORK=${WORK:-$(mktemp -d)}; mkdir -p "$WORK"; cd "$WORK" || exit 99
R=$(date +%s)$RANDOM; FAILS=0; N=0
export VAGRANT_NO_COLOR=1 VAGRANT_CHECKPOINT_DISABLE=1 CHECKPOINT_DISABLE=1 PACKER_NO_COLOR=1 VAGRANT_DEFAULT_PROVIDER=libvirt
export no_proxy=127.0.0.1,localhost NO_PROXY=127.0.0.1,localhost
unset VAGRANT_CLOUD_TOKEN ATLAS_TOKEN HCP_CLIENT_ID HCP_CLIENT_SECRET VAGRANT_SERVER_ACCESS_TOKEN_BY_URL

# --- fixture: smallest box vagrant and packer both accept (member must be named "metadata.json", no "./")
mkdir -p a && echo '{"provider":"virtualbox","architecture":"amd64"}' > a/metadata.json && echo 'Vagrant.configure("2") { |c| }' > a/Vagrantfile
head -c 3000000 /dev/urandom > a/disk.img; tar czf tiny.box -C a metadata.json Vagrantfile disk.img
SUM=$(sha256sum tiny.box | cut -d' ' -f1)

check() { # check NAME EXPECTED_RC GREP_PATTERN('' = none) cmd...
  local name=$1 want=$2 pat=$3; shift 3; N=$((N+1)); local out rc
  out=$(timeout 180 "$@" </dev/null 2>&1); rc=$?
  printf '%s\n' "### $name: $*" "$out" "rc=$rc" >> "$WORK/log.txt"; [ "${VERBOSE-}" ] && printf '%s\n' "$out"
  if { [ "$want" = any ] || [ $rc -eq "$want" ]; } && { [ -z "$pat" ] || grep -qE -- "$pat" <<<"$out"; }; then echo "PASS $name"; else echo "FAIL $name (rc=$rc, wanted $want /$pat/): $(tail -n 2 <<<"$out" | tr '\n' ' ' | cut -c1-200)"; FAILS=$((FAILS+1)); fi; }
api() { curl -sS -o "$WORK/api.json" -w '%{http_code}' -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' "$@"; }

vagrant_flow() { # $1 = label, $2 = yes when the CLI knows architectures (>= 2.4)
  local L=$1 ARCH=$2 B=$ORG/cli-$1-$R; local A=(); [ "$ARCH" = yes ] && A=(amd64)
  export VAGRANT_HOME="$WORK/home-$1" VAGRANT_SERVER_URL=$S
  check "$L version" 0 'Vagrant [0-9]' vagrant --version
  check "$L auth login --check (logged out)" 1 'not currently logged in' vagrant cloud auth login --check
  if [ -n "$LOGIN" ]; then
    N=$((N+1)); ( sleep 3; echo "$PASSWORD"; sleep 2; echo "drive-clients"; sleep 4 ) | timeout 60 script -qec "vagrant cloud auth login -u $LOGIN" /dev/null > login.out 2>&1
    if [ -s "$VAGRANT_HOME/data/vagrant_login_token" ]; then echo "PASS $L auth login with user/password"; else echo "FAIL $L auth login with user/password: $(tail -n 2 login.out | cut -c1-160)"; FAILS=$((FAILS+1)); fi
    check "$L auth whoami (password token)" 0 'logged in as' vagrant cloud auth whoami
    check "$L auth logout" 0 'logged out' vagrant cloud auth logout
  fi
  check "$L auth login --token" 0 'already logged in' vagrant cloud auth login --token "$TOKEN"
  check "$L auth whoami" 0 'logged in as .+' vagrant cloud auth whoami
  check "$L auth whoami bad token" 1 'request failed' vagrant cloud auth whoami no-such-token
  check "$L publish 1.0.0 (create+direct upload+release)" 0 'Complete! Published' vagrant cloud publish "$B" 1.0.0 virtualbox tiny.box --force --release --no-private -d 'Long *text*' -s 'short text'
  check "$L box show" 0 'Current Version: +1.0.0' vagrant cloud box show "$B"
  check "$L box show --versions" 0 'Status: +active' vagrant cloud box show "$B" --versions 1.0.0
  check "$L search" 0 "$B" vagrant cloud search "cli-$1-$R"
  check "$L search --json" 0 '"version":"1.0.0"' vagrant cloud search --json "cli-$1-$R"
  check "$L search, filters and paging" 0 "$B" vagrant cloud search "cli-$1-$R" --provider virtualbox --sort-by updated --order desc --limit 5
  check "$L search without a match" 0 'No results' vagrant cloud search "nothing-$R"
  check "$L box add" 0 'Successfully added box' vagrant box add "$B" --provider virtualbox
  check "$L box update -s keeps the description" 0 'Updated box' vagrant cloud box update "$B" -s 'changed'
  N=$((N+1)); api "$S/api/v1/box/$B" >/dev/null; if [ "$(jq -r '.description_markdown' api.json)" = 'Long *text*' ]; then echo "PASS $L description survived the null sent by the CLI"; else echo "FAIL $L description was wiped by description:null"; FAILS=$((FAILS+1)); fi
  check "$L version create" 0 'unreleased' vagrant cloud version create "$B" 1.1.0 -d 'v11'
  check "$L version create malformed" 1 'request failed|invalid|Invalid' vagrant cloud version create "$B" v1.x
  check "$L release without a provider is refused" 1 'Failed to release' vagrant cloud version release "$B" 1.1.0 --force
  check "$L provider create" 0 'Created provider' vagrant cloud provider create "$B" virtualbox 1.1.0
  check "$L release without an upload is refused" 1 'Failed to release' vagrant cloud version release "$B" 1.1.0 --force
  check "$L provider upload (direct)" 0 'Uploaded provider' vagrant cloud provider upload "$B" virtualbox 1.1.0 "${A[@]}" tiny.box
  check "$L provider upload (simple)" 0 'Uploaded provider' vagrant cloud provider upload --no-direct "$B" virtualbox 1.1.0 "${A[@]}" tiny.box
  check "$L provider update checksum" 0 'Updated provider' vagrant cloud provider update "$B" virtualbox 1.1.0 "${A[@]}" -c "$SUM" -C sha256
  check "$L version release" 0 'Released version' vagrant cloud version release "$B" 1.1.0 --force
  check "$L version release again" 1 'already released' vagrant cloud version release "$B" 1.1.0 --force
  check "$L box outdated" 0 'outdated.*1\.1\.0' vagrant box outdated --global
  check "$L box update" 0 'Successfully added box' vagrant box update --box "$B" --provider virtualbox
  check "$L box outdated, now current" 0 'up to date' vagrant box outdated --global
  check "$L version revoke" 0 'Status: +revoked' vagrant cloud version revoke "$B" 1.1.0 --force
  check "$L box add after revoke takes 1.0.0" 0 'v1\.0\.0' vagrant box add "$B" --provider virtualbox --force
  check "$L revoked version cannot be added" 1 'no available version|matching|constraints' vagrant box add "$B" --provider virtualbox --force --box-version 1.1.0
  check "$L external URL provider" 0 'Complete! Published' vagrant cloud publish "$B" 1.2.0 virtualbox --url "$S/$ORG/boxes/cli-$1-$R/versions/1.0.0/providers/virtualbox.box" --checksum "$SUM" --checksum-type sha256 --force --release
  check "$L box add through an external URL" 0 'v1\.2\.0' vagrant box add "$B" --provider virtualbox --force
  if [ "$ARCH" = yes ]; then
    check "$L publish a second architecture" 0 'Architecture: +arm64' vagrant cloud publish "$B" 1.0.0 virtualbox tiny.box --force --no-private -a arm64
    check "$L box add --architecture arm64" 0 '\(arm64\)' vagrant box add "$B" --provider virtualbox --box-version 1.0.0 --architecture arm64 --force
    check "$L box add unsupported architecture" 1 'architecture' vagrant box add "$B" --provider virtualbox --architecture s390x --force
    check "$L search --architecture" 0 'No results|'"$B" vagrant cloud search "cli-$1-$R" --architecture arm64
    check "$L provider update default architecture" 0 'Default Architecture: +yes' vagrant cloud provider update "$B" virtualbox 1.0.0 arm64 --default-architecture
    check "$L provider delete (architecture)" 0 'Deleted provider' vagrant cloud provider delete "$B" virtualbox 1.0.0 arm64 --force
  fi
  check "$L publish private" 0 'Complete! Published' vagrant cloud publish "$ORG/priv-$1-$R" 1.0.0 virtualbox tiny.box --force --release --private
  check "$L box add private, with token" 0 'Successfully added' vagrant box add "$ORG/priv-$1-$R" --provider virtualbox
  check "$L auth logout 2" 0 'logged out' vagrant cloud auth logout
  check "$L box add private, no token, is a 404" 1 'error: 404' vagrant box add "$ORG/priv-$1-$R" --provider virtualbox --force
  check "$L box add public, no token" 0 'Successfully added' vagrant box add "$B" --provider virtualbox --force
  VAGRANT_CLOUD_TOKEN=expired-$R check "$L box add public, bad token" 0 'Successfully added' vagrant box add "$B" --provider virtualbox --force
  VAGRANT_CLOUD_TOKEN=$TOKEN VAGRANT_SERVER_ACCESS_TOKEN_BY_URL=1 check "$L box add private, token in the URL" 0 'Successfully added' vagrant box add "$ORG/priv-$1-$R" --provider virtualbox --force
  VAGRANT_SERVER_URL=$S/api/v2/vagrant check "$L server URL ending in /api/v2/vagrant" 0 'Successfully added' vagrant box add "$B" --provider virtualbox --force
  VAGRANT_SERVER_URL=$S/ check "$L server URL with a trailing slash" 0 'Successfully added' vagrant box add "$B" --provider virtualbox --force
  # resume: a partial file in VAGRANT_HOME/tmp is continued with Range; a complete one must not wedge the client
  local u h; u=$(VAGRANT_CLOUD_TOKEN=$TOKEN curl -s -H 'Accept: application/json' "$S/$B" | jq -r '[.versions[]|select(.version=="1.0.0")][0].providers[0].url'); [ "$ARCH" = yes ] && u=$(curl -s -H 'Accept: application/json' "$S/api/v2/vagrant/$B" | jq -r '[.versions[]|select(.version=="1.0.0")][0].providers[]|select(.architecture=="amd64").url')
  h=$(printf %s "$u" | sha1sum | cut -d' ' -f1); head -c 1000000 tiny.box > "$VAGRANT_HOME/tmp/box$h"
  check "$L resume of a partial download" 0 'resuming' vagrant box add "$B" --provider virtualbox --box-version 1.0.0 --force
  cp tiny.box "$VAGRANT_HOME/tmp/box$h"
  check "$L already complete temp file" 0 'Successfully added' vagrant box add "$B" --provider virtualbox --box-version 1.0.0 --force
  # `vagrant up` end to end with a do-nothing provider
  mkdir -p up && cat > up/Vagrantfile <<VF
class NopProvider < Vagrant.plugin("2", :provider)
  def self.usable?(raise_error=false); true; end
  def initialize(machine); end
  def state; Vagrant::MachineState.new(:not_created, "not created", "not created"); end
  def action(name)
    return nil unless name == :up
    Vagrant::Action::Builder.new.tap { |b| b.use Vagrant::Action::Builtin::HandleBox; b.use Vagrant::Action::Builtin::BoxCheckOutdated }
  end
end
class NopPlugin < Vagrant.plugin("2")
  name "nop"
  provider(:nop, box_format: "virtualbox", parallel: true, defaultable: true, priority: 9) { NopProvider }
end
Vagrant.configure("2") { |c| c.vm.box = "$B" }
VF
  cd up; VAGRANT_HOME="$WORK/homeup-$1" check "$L vagrant up (do-nothing provider)" 0 'Successfully added box' vagrant up --provider nop; VAGRANT_DEFAULT_PROVIDER=nop VAGRANT_HOME="$WORK/homeup-$1" check "$L vagrant box outdated in a project" 0 'Checking if box' vagrant box outdated --force; cd "$WORK"; rm -rf up
  vagrant cloud auth login --token "$TOKEN" >/dev/null 2>&1
  check "$L version delete" 0 'Deleted version' vagrant cloud version delete "$B" 1.2.0 --force
  check "$L box delete" 0 'Deleted box' vagrant cloud box delete "$B" --force
  check "$L box show after delete" 1 'Failed to locate' vagrant cloud box show "$B"
  vagrant cloud box delete "$ORG/priv-$1-$R" --force >/dev/null 2>&1; unset VAGRANT_HOME; }

curl_flow() {
  local B=$ORG/curl-$R c
  c=$(api -X POST "$S/api/v2/boxes" -d "{\"box\":{\"username\":\"$ORG\",\"name\":\"curl-$R\"}}"); N=$((N+1)); case $c in 200|201) echo "PASS curl create box ($c), private=$(jq .private api.json)";; *) echo "FAIL curl create box $c"; FAILS=$((FAILS+1));; esac
  c=$(api -X POST "$S/api/v2/box/$B/versions" -d '{"version":{"version":"1.2.3"}}'); c=$(api -X POST "$S/api/v2/box/$B/version/1.2.3/providers" -d '{"provider":{"name":"virtualbox"}}'); N=$((N+1)); [ "${c:0:1}" = 2 ] && echo "PASS curl provider with a bare name; architecture=$(jq -c '[.architecture,.default_architecture]' api.json)" || { echo "FAIL curl provider $c"; FAILS=$((FAILS+1)); }
  # the official walk-through omits the architecture segment on v2
  c=$(api "$S/api/v2/box/$B/version/1.2.3/provider/virtualbox/upload"); local up; up=$(jq -r .upload_path api.json 2>/dev/null); N=$((N+1)); if [ "$c" = 200 ] && curl -sf -X PUT "$up" --upload-file tiny.box -o /dev/null; then echo "PASS curl v2 upload without an architecture segment"; else echo "FAIL curl v2 upload without an architecture segment ($c)"; FAILS=$((FAILS+1)); fi
  c=$(api -X PUT "$S/api/v2/box/$B/version/1.2.3/release"); N=$((N+1)); [ "$c" = 200 ] && echo "PASS curl release" || { echo "FAIL curl release $c"; FAILS=$((FAILS+1)); }
  c=$(curl -s -o /dev/null -w '%{http_code}' -H "X-Atlas-Token: $TOKEN" "$S/api/v2/authenticate"); N=$((N+1)); [ "$c" = 200 ] && echo "PASS curl X-Atlas-Token" || { echo "FAIL curl X-Atlas-Token $c"; FAILS=$((FAILS+1)); }
  c=$(curl -s -o /dev/null -w '%{http_code}' "$S/api/v2/authenticate?access_token=$TOKEN"); N=$((N+1)); [ "$c" = 200 ] && echo "PASS curl access_token parameter" || { echo "FAIL curl access_token $c"; FAILS=$((FAILS+1)); }
  api -X DELETE "$S/api/v2/box/$B" >/dev/null; }

packer_flow() {
  command -v packer >/dev/null || { echo "SKIP packer (not installed)"; return; }
  packer version | grep -q 'v1\.[0-6]\.' || { echo "SKIP packer: this version has no bundled vagrant-cloud post-processor"; return; }
  mkdir -p pk && cp tiny.box pk/out.box && cd pk
  api -X POST "$S/api/v1/boxes" -d "{\"box\":{\"username\":\"$ORG\",\"name\":\"packer-$R\",\"is_private\":false}}" >/dev/null
  for mode in direct simple url; do
    pn=$((pn+1)); local extra=''; [ $mode = simple ] && extra=',"no_direct_upload":true'; 
    [ $mode = url ] && extra=",\"box_download_url\":\"$S/x.box\""
    cat > t.json <<J
{"builders":[{"type":"null","communicator":"none"}],"post-processors":[[{"type":"artifice","files":["out.box"],"keep_input_artifact":true},
{"type":"vagrant-cloud","access_token":"$TOKEN","vagrant_cloud_url":"$S/api/v1","box_tag":"$ORG/packer-$R","version":"1.0.$pn","version_description":"from packer"$extra}]]}
J
    check "packer vagrant-cloud ($mode)" 0 'successfully released' packer build t.json; done
  check "packer: same version and provider again is refused with a readable message" 1 'Error creating provider: .+' packer build t.json
  sed -i 's/packer-'"$R"'/no-such-'"$R"'/' t.json; check "packer: unknown box" 1 'Error retrieving box: .+' packer build t.json
  cd "$WORK"; api -X DELETE "$S/api/v1/box/$ORG/packer-$R" >/dev/null; }
pn=0
command -v vagrant >/dev/null && vagrant_flow old "$(vagrant --version 2>/dev/null | grep -qE ' 2\.[4-9]| [3-9]\.' && echo yes || echo no)"
packer_flow
curl_flow
echo "== $((N-FAILS)) of $N passed, log: $WORK/log.txt"; exit $FAILS
