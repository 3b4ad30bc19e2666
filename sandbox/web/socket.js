// The connection to the world: a server, or a Worker of this page.

import { decode } from "./protocol.js";

const FIRST_WAIT = 400, LONGEST_WAIT = 4000; // ms

// connect returns a connection to the world. onMessage is called with decoded messages, onState with "connecting",
// "connected" or "lost".
export function connect(onMessage, onState) {
  const worker = document.querySelector('meta[name="quarry"][content="worker"]');
  return worker ? new Local(onMessage, onState) : new Socket(onMessage, onState);
}

// token returns the token of the page's link, which decides what its user may do.
function token() {
  const t = new URL(location).searchParams.get("token");
  return t ? "?token=" + encodeURIComponent(t) : "";
}

class Connection {
  constructor(onMessage, onState) {
    this.onMessage = onMessage;
    this.onState = onState;
    this.state = "connecting";
  }

  set(state) {
    this.state = state;
    this.onState(state);
  }

  receive(data) {
    const m = decode(data);
    this.onMessage(m);
    if (m.type === "frame") this.send({ do: "ack", seq: m.seq });
  }
}

// Socket is a connection to a server. It reconnects after a loss.
class Socket extends Connection {
  constructor(onMessage, onState) {
    super(onMessage, onState);
    this.wait = FIRST_WAIT;
    this.connect();
  }

  connect() {
    const at = new URL("ws" + token(), location.href);
    at.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    const ws = new WebSocket(at);
    ws.binaryType = "arraybuffer";
    ws.onopen = () => {
      this.wait = FIRST_WAIT;
      this.set("connected");
    };
    ws.onmessage = (e) => this.receive(e.data);
    ws.onclose = () => {
      this.set("lost");
      setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    };
    this.ws = ws;
  }

  // send sends a command. It does nothing without a connection.
  send(command) {
    if (this.ws.readyState === WebSocket.OPEN) this.ws.send(JSON.stringify(command));
  }
}

// Local is a world in a Worker of this page; see worker.js.
class Local extends Connection {
  constructor(onMessage, onState) {
    super(onMessage, onState);
    this.worker = new Worker("worker.js" + location.search);
    this.calls = new Map(); // by number
    this.worker.onmessage = (e) => {
      if (e.data instanceof ArrayBuffer) this.receive(e.data);
      else if (e.data.reply) this.replied(e.data);
      else if (e.data === "ready") this.set("connected");
      else this.fail(e.data);
    };
    this.worker.onerror = (e) => this.fail(e.message || "the program of the world cannot be loaded");
    // The last moment to keep the world: the Worker ends with the page.
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden") this.worker.postMessage("save");
    });
  }

  // call lets the Worker do something with the worlds that the browser keeps; see worker.js.
  call(name, ...args) {
    return new Promise((resolve, reject) => {
      this.called = (this.called || 0) + 1;
      this.calls.set(this.called, { resolve, reject });
      this.worker.postMessage({ call: this.called, name, args });
    });
  }

  replied({ reply, value, error }) {
    const { resolve, reject } = this.calls.get(reply);
    this.calls.delete(reply);
    if (error) reject(new Error(error));
    else resolve(value);
  }

  fail(why) {
    this.set("lost");
    document.querySelector("#lost span").textContent = why;
  }

  // send sends a command.
  send(command) {
    this.worker.postMessage(JSON.stringify(command));
  }
}
