"""`mnemoscope --tour DIR`: the real window driven offscreen through a whole story, a picture a scene."""
